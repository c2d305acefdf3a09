package detect

import "testing"

// Each command that is given a password has a harmless twin.
func TestPasswordsOfPrograms(t *testing.T) {
	for _, c := range []struct{ command, secret, twin string }{
		{
			"npm config set _authToken k8Kq2LmV9xT4vRb8NcD3",
			"k8Kq2LmV9xT4vRb8NcD3",
			"npm config set _authToken $NPM_TOKEN",
		},
		{
			"npm config set //registry.npmjs.org/:_authToken k8Kq2LmV9xT4vRb8NcD3", "k8Kq2LmV9xT4vRb8NcD3",
			"npm config set //registry.npmjs.org/:_authToken ${NPM_TOKEN}",
		},
		{
			"rclone config create nas sftp host h user ada pass kT9v!mQ2x",
			"kT9v!mQ2x",
			"rclone config create nas sftp pass $(pass nas)",
		},
		{"rclone obscure 'kT9v!mQ2x'", "kT9v!mQ2x", "rclone obscure \"$PASSWORD\""},
		{"ssh-keygen -t ed25519 -N 'kT9v!mQ2x' -f id", "kT9v!mQ2x", "ssh-keygen -t ed25519 -N '' -f id_ed25519"},
		{"sqlplus -S app/kT9vmQ2x@db1", "kT9vmQ2x", "sqlplus / as sysdba @setup2.sql"},
		{"expdp app/kT9vmQ2x@db1 directory=d", "kT9vmQ2x", "sqlplus /nolog @scripts/load2.sql"},
		{"sqlplus app/kT9vmQ2x", "kT9vmQ2x", "sqlplus scripts/load2.sql"},
		{"sqlplus -L 'app/kT9v!mQ2x' @setup.sql", "kT9v!mQ2x", "sqlplus bin/v2/setup2"},
		{"sqlldr userid/kT9vmQ2x control=load.ctl", "kT9vmQ2x", "sqlldr $DB_USER/$DB_PASS1 control=l.ctl"},
		{"impdp app/kT9vmQ2x directory=d", "kT9vmQ2x", "impdp <user>/<password1>"},
		{"expdp app/kT9vmQ2x directory=d", "kT9vmQ2x", "expdp scott/tiger2"},
		{"echo ada:kT9v!mQ2x | sudo chpasswd", "kT9v!mQ2x", "echo \"ada:$PASSWORD1\" | chpasswd"},
		{
			"echo 'kT9v!mQ2x' | docker login -u ada --password-stdin r.io",
			"kT9v!mQ2x",
			"cat pw1.txt | docker login --password-stdin",
		},
		{"sudo -S apt-get update <<< 'kT9v!mQ2x'", "kT9v!mQ2x", "sudo -S apt-get update <<< \"$PASSWORD\""},
	} {
		got := Secrets(c.command)
		if len(got) != 1 || c.command[got[0].Start:got[0].End] != c.secret {
			t.Errorf("%q: found %+v, want %s", c.command, got, c.secret)
		}
		if got := Secrets(c.twin); len(got) > 0 {
			t.Errorf("%q: found %+v", c.twin, got)
		}
	}
}
