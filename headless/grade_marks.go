package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// again remarks on hand-ins of a name that has handed the same exercise in before; which one counts is not decided here.
func again(all []graded) {
	first := map[[2]string]string{}
	for i, one := range all {
		if one.Report == nil {
			continue
		}
		key := [2]string{one.Who, one.Exercise}
		if first[key] == "" {
			first[key] = one.File
			continue
		}
		all[i].Also = first[key]
	}
}

// write writes the marks as asked.
func write(all []graded, file, lang string, asJSON bool, out io.Writer) error {
	var b strings.Builder
	if asJSON {
		e := json.NewEncoder(&b)
		for _, one := range all {
			if err := e.Encode(one); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(out, b.String()); err != nil || file == "" {
			return err
		}
		b.Reset()
	}
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows(all, lang)); err != nil {
		return err
	}
	if file != "" {
		return named("--csv", file, writeWhole(file, []byte(b.String())))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// rows are the marks as a table, with its head.
func rows(all []graded, lang string) [][]string {
	rows := [][]string{{"file", "who", "exercise", "points", "of", "status", "remarks"}}
	for _, one := range all {
		row := []string{one.File, one.Who, one.Exercise, "0", "", one.Status, one.Why}
		if one.Report != nil {
			row[3], row[4] = strconv.Itoa(one.Report.Points), strconv.Itoa(one.Report.Of)
			row[6] = strings.Join(one.missed, "\n")
			if one.Also != "" {
				row[6] = strings.TrimLeft(row[6]+"\n"+fmt.Sprintf(noteWords[lang]["again"], one.Also), "\n")
			}
		}
		for i := range row {
			row[i] = cell(row[i])
		}
		rows = append(rows, row)
	}
	return rows
}

// cell keeps a spreadsheet from taking somebody's text for a formula.
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
