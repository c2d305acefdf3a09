package compare

// synonyms maps words to one that represents them. A word can represent itself if stem must not cut its
// ending.
const synonyms = `
 folder: directory directories dir dirs folders
 repo: repository repositories repos
 databas: database databases db dbs
 config: configuration configurations configure configured configs setting settings
 environment: env envs environments
 develop: dev development develop developing
 production: prod productions
 docs: doc documentation documented document documents docstring
 auth: authentication authenticate
 postgres: postgresql pg psql
 kubernetes: k8s
 javascript: js
 typescript: ts
 python: py
 pullrequest: pr prs
 depend: dependency dependencies dep deps depends
 err: error errors
 run: ran running execute executed executing execution runs launch
 test: tests testing tested
 commit: committed committing commits
 write: written writing writes wrote
 tab: tabs
 space: spaces
 automatic: automatically auto automatical
 manual: manually manual manua
 use: uses using used utilize usage
 maximum: max
 minimum: min
 approv: approval approvals approve approved
 deploy: deployment deployments deploys deployed deploying
 merg: merge merges merged merging
 requir: require required requires requirement need needs needed
 build: builds built building
 indent: indentation indents indented
 prefer: preferred prefers preferable
 cach: cache caches cached caching
 expir: expire expires expired expiry expiration
 limit: limits limited
 line: lines
 npm: npmjs
 is: this its
 always: always
 during: during
 string: string strings
 thing: thing things
 nothing: nothing
 anything: anything
 everything: everything
 setting: setting
 status: status
 release: releases released releasing
 migration: migrations
 async: asynchronous asynchronously
 sync: synchronous synchronously
 review: reviews reviewed reviewer reviewers
 delet: delete deletes deleted deleting remove removed removes
 answer: answers answering reply replies
 short: brief briefly concise concisely
`

// silent are the words that say nothing.
const silent = `a an the this that these those it its they them their there here he she his her we us our you your
 i me my is are was were be been being am do does did done has have had having will would shall should can could may
 might must ought of in on at by for with from to into onto as than then so too also and or but if when while where
 which who what how why
 use via per up out off over about all any every each some such both same own very just only really please
 make sure ensure always want wants like let get gets got go goes keep keeps kept stay stays put
 through within across between among during before-hand well now currently`

// weak are the words that say little: they do not distinguish subjects.
const weak = `run work works write create call store located locate listen serve served expose put place set start
 live lives belong belongs add go require handle handles
 project code codebase file files repo app application service server system team user thing things way time new whole
 current follow follows happen happens apply applied install manage managed management
 need prefer name named number value case part kind type step steps completed complete succeeded succeed
 good best right correct proper newer older later least most more less maximum minimum length long
 rule rules convention conventions public direct directly version run-time expect allowed`

// denying are the words that negate what follows.
const denying = `not never dont doesnt didnt isnt arent wasnt cant cannot wont shouldnt mustnt neednt no without avoid
 avoids neither nor nothing refrain forbid forbids forbidden disallow disallowed prohibit prohibited`

// denyingElsewhere are words that deny in German, French, Spanish, Portuguese and Russian.
const denyingElsewhere = `nicht nie niemals kein keine keinen keiner keinem ne pas jamais aucun aucune nunca jamás
 ningún ninguna não nem не никогда нельзя без`

// past are the words that say that something was true in the past.
const past = `old previously formerly legacy was were had earlier historical historically once ago before-that
 copyright`

// placing are the words that say where something is.
const placing = `live lives located locate store stored stores keep kept put place placed go goes belong belongs find
 found reside save saved sit is are in under inside at lives url`

// choices has one class per line: its values, its free words and its cues, separated by bars. A ! before the
// cues means that statements must share a subject.
const choices = `
 npm pnpm yarn bun | install depend package script manager lockfile add workspace |
 pip poetry pipenv uv conda | install depend package python environment manage |
 jest vitest mocha ava jasmine | test runner unit framework javascript |
 cypress playwright selenium puppeteer | test e2e browser end |
 pytest unittest nose | test python runner |
 postgres mysql sqlite mongodb mariadb cockroachdb dynamodb | databas data engine store |
 tab space | indent indentation style width | indent tab space prefer use user style whitespace
 single double | quote string | quote
 main master develop trunk | branch base target | branch merge rebase pullrequest target base
 webpack vite rollup esbuild parcel turbopack | bundl bundler build frontend |
 prettier biome dprint | format formatter javascript typescript |
 black yapf autopep8 | format formatter python | format formatter python
 eslint tslint jshint oxlint | lint linter javascript typescript |
 flake8 pylint pyflakes | lint linter python |
 redux zustand mobx recoil jotai | state management |
 tailwind bootstrap bulma | css style styl class util utility |
 prisma drizzle typeorm sequelize knex mikroorm | orm databas |
 rabbitmq kafka sqs nats | queue broker message event | !
 redis memcached | cach sess store key | !
 jenkins circleci travis buildkite github-actions gitlab-ci | ci pipeline deploy build |
 rebase squash merge-commit | merg pullrequest commit |
 camelcase snake_case kebab-case pascalcase | name column variable function | !
 rest graphql grpc soap | api public | api
 named-export default-export | export module component |
 jwt cookie session-cookie | auth login token | auth authent login
 utc local | timestamp date time zone | timestamp time timezone date
 json plaintext xml yaml toml | log format output | log format output
 esm commonjs | module javascript import |
 axios fetch got superagent ky | http request client | http request client
 moment dayjs luxon date-fns | date time librari |
 gradle maven bazel | build java |
 docker podman | container image |
 zsh fish bash | shell script | shell
 monday tuesday wednesday thursday friday saturday sunday | | !
 mit apache gpl bsd mpl | license licens | license licens
 english german french spanish japanese chinese russian portuguese italian korean |` +
	` language write commit messag | ! language comment message answer write docs
 before after | | !
 public private | | !
 async-await promise-chain | |
 composition inheritance | |
 sphinx mkdocs docusaurus hugo jekyll | docs site build |
 slog zap logrus zerolog | log logger logg |
 react vue svelte angular solid | component ui frontend | ! frontend ui framework
 alembic goose flyway liquibase | migrat migration databas apply |
 debian ubuntu alpine fedora | image base | image base
 ascending descending | sort order |
`

// opposites maps words to the one that they negate.
const opposites = `
 enabl: disable disables disabled disabling off
 allow: disallow disallowed forbid forbidden prohibited prohibit prohibits forbids
 requir: optional
 automatic: manual manually
 sync: async
 mutable: immutable
`

// phrases are pairs of a phrase and its replacement, applied before anything else.
var phrases = []string{
	"github actions", "github-actions", "gitlab ci", "gitlab-ci", "merge commit", "merge-commit",
	"default export", "default-export", "named export", "named-export", "session cookie", "session-cookie",
	"async/await", "async-await", "promise chain", "promise-chain", "pull request", "pullrequest", "merge request",
	"pullrequest",
	"camel case", "camelcase", "snake case", "snake_case", "kebab case", "kebab-case", "pascal case", "pascalcase",
	"on by default", "enabled by default", "off by default", "disabled by default", "turned on", "enabled",
	"turned off", "disabled",
	"instead of", "insteadof", "rather than", "insteadof", "in favor of", "infavorof", "no longer", "never",
	"at least", "atleast", "at most", "atmost", "up to", "atmost", "no more than", "atmost", "less than", "atmost",
	" go 1.", " golang 1.", "used to ", "previously ", "plain text", "plaintext", "e.g.", "", "i.e.", "",
}
