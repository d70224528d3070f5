package voice

import "strings"

// table is a table that is being read.
type table struct {
	labels []string // as they are said
	rows   int
}

// tableHead keeps the labels of the columns, which come with each row, and not
// the line of dashes below.
func (n *narrator) tableHead(text string, base int) {
	n.finishTable()
	head, _, _ := strings.Cut(text, "\n")
	t := &table{}
	eachCell(head, func(cell string, at int) {
		t.labels = append(t.labels, n.sayCell(cell, base+at))
	})
	n.block.table = t
}

// tableRow says a row: "Plan: Básico, Precio: cuarenta mil pesos." A line
// without a bar ends the table, and is not a row.
func (n *narrator) tableRow(text string, base int) bool {
	if strings.IndexByte(text, '|') < 0 {
		n.finishTable()
		return false
	}
	t := n.block.table
	t.rows++
	column := 0
	eachCell(text, func(cell string, at int) {
		label := ""
		if column < len(t.labels) {
			label = t.labels[column]
		}
		column++
		if said := n.sayCell(cell, base+at); said != "" {
			n.stop(",")
			n.gap = true
			if label != "" {
				n.say(label)
				n.stop(":")
				n.gap = true
			}
			n.say(said)
		}
	})
	n.block.item = true
	n.finishLine()
	return true
}

// finishTable ends a table. A header without rows is said after all.
func (n *narrator) finishTable() {
	t := n.block.table
	n.block.table = nil
	if t == nil || t.rows > 0 {
		return
	}
	for _, label := range t.labels {
		if label != "" {
			n.stop(",")
			n.gap = true
			n.say(label)
		}
	}
	n.block.item = true
	n.finishLine()
}

// sayCell says a cell apart and returns that, without the stop at its end.
func (n *narrator) sayCell(text string, base int) string {
	line := n.voiceState
	n.voiceState = voiceState{out: n.cell[:0]}
	n.span(text, base)
	n.cell = n.out
	n.voiceState = line
	return strings.TrimRight(string(n.cell), ".,;: ")
}

// eachCell calls f with the cells of a row and where they begin in it. A bar
// after a backslash does not part cells; cells that only hold dashes are those of
// the line below a header.
func eachCell(row string, f func(cell string, at int)) {
	row = strings.TrimRight(row, blanks)
	at := len(row) - len(strings.TrimLeft(row, blanks))
	if strings.HasPrefix(row[at:], "|") {
		at++
	}
	for at < len(row) {
		end := at
		for end < len(row) && (row[end] != '|' || row[end-1] == '\\') {
			end++
		}
		if cell := row[at:end]; strings.Trim(cell, blanks+"-:") != "" || !strings.Contains(cell, "-") {
			f(cell, at)
		}
		at = end + 1
	}
}
