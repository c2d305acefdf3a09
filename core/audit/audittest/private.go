package audittest

import "winnow/core/memory"

// privates are texts that say who or where somebody is, the place marked.
func privates(g gen) (items []Item) {
	for _, group := range []struct {
		kind  string
		texts []string
	}{
		{"home-path", []string{
			"the config lies in ⟦/home/dana/proj⟧/app.toml", "open ⟦/Users/dana.lee/code/shop⟧ in the editor",
			`copied to ⟦C:\Users\dana\Documents⟧\report.txt`, "Failed: ENOENT ⟦/home/m.kowalski/.cache/tool⟧/x",
			"file://⟦/Users/jo/src/app⟧/main.go",
		}},
		{"email", []string{
			"ask ⟦dana.lee@corp-mail.io⟧ about the queue", "Author: Dana <⟦dana@lee-family.org⟧>",
			"commit by ⟦m.kowalski+dev@gmail.com⟧",
			"mailto:⟦sales@shop-kowalski.de⟧ in the footer",
		}},
		{"private-host", []string{
			"ssh to ⟦build-7.corp.internal⟧ first", "the proxy is http://⟦proxy.intranet.local⟧:3128",
			"logs are on ⟦graylog.office.lan⟧",
			"use ⟦db-3.prod.internal⟧ for reports",
		}},
		{"private-address", []string{
			"the printer is ⟦192.168.178.‹d:2›⟧", "connect to ⟦10.‹d:1›.12.44⟧:5432", "node ⟦172.16.4.‹d:1›⟧ is down",
			"ping ⟦10.20.30.40⟧ works",
		}},
	} {
		for _, text := range group.texts {
			items = append(items, marked(memory.FamilyPrivate, group.kind, g.expand(text)))
		}
	}
	return items
}
