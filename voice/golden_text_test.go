package voice_test

import (
	"github.com/portavoz/portavoz/voice"
)

var messages = map[voice.Country][]string{voice.CO: {"Su saldo es $89.900"}}
