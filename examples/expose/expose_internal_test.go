package main

import (
	"context"
	"os"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/expose"
)

func Example_run() {
	if err := run(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// surface            tools  characters  tokens (estimate)
	// flat                   6        6552    1638
	// flat, compact          6        6317    1580
	// grouped                3        6061    1516
	// grouped, compact       3        5310    1328
	// split                  5        7726    1932
	// split, compact         5        6817    1705
	//
	// flat
	//   abrir_caso_soporte         reads only: false
	//   actualizar_cliente         reads only: false
	//   buscar_items               reads only: true
	//   cancelar_cita              reads only: false
	//   consultar_agenda           reads only: true
	//   consultar_cliente          reads only: true
	//   cancelar_cita map[cita:V-1042 documento:CC 1.032.456.789]: La visita quedó cancelada. (gestionar_visita.cancelar_cita, 2 datos)
	//
	// grouped
	//   atender_cliente            reads only: false
	//   buscar_items               reads only: true
	//   gestionar_visita           reads only: false
	//   gestionar_visita map[cita:V-1042 documento:CC 1.032.456.789 operacion:cancelar_cita]: La visita quedó cancelada. (gestionar_visita.cancelar_cita, 2 datos)
	//
	// split
	//   atender_cliente_cambio     reads only: false
	//   atender_cliente_consulta   reads only: true
	//   buscar_items               reads only: true
	//   gestionar_visita_cambio    reads only: false
	//   gestionar_visita_consulta  reads only: true
	//   gestionar_visita_cambio map[cita:V-1042 documento:CC 1.032.456.789 operacion:cancelar_cita]: La visita quedó cancelada. (gestionar_visita.cancelar_cita, 2 datos)
}

// Each surface meets what a gateway demands of tools, and nothing is done otherwise
// than asked.
func TestSurfacesMeetTheContract(t *testing.T) {
	t.Parallel()
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		surface, err := expose.Compile(config(strategy), actions()...)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range surface.Findings() {
			t.Errorf("%s: %s", strategy, f)
		}
		srv := server.NewMCPServer("operador", "1.0.0")
		if err := surface.Register(srv); err != nil {
			t.Fatal(err)
		}
		if err := contract.Require(srv, contract.Asixto); err != nil {
			t.Errorf("%s: %v", strategy, err)
		}
	}
}

// Grouping is what it is for: fewer tools, and less to read.
func TestGroupedIsShorter(t *testing.T) {
	t.Parallel()
	surface, err := expose.Compile(config(expose.Flat), actions()...)
	if err != nil {
		t.Fatal(err)
	}
	sizes := surface.Measure()
	if flat, grouped := sizes[0], sizes[2]; flat.Tools != 6 || grouped.Tools != 3 || grouped.Characters >= flat.Characters {
		t.Errorf("flat: %+v, grouped: %+v", flat, grouped)
	}
}
