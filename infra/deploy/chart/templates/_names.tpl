{{/* How things are called, and which function runs where. */}}

{{- define "reveille.name" -}}
{{- if contains "reveille" .Release.Name -}}{{ .Release.Name | trunc 30 | trimSuffix "-" }}{{- else -}}{{ printf "%s-reveille" (.Release.Name | trunc 20 | trimSuffix "-") }}{{- end -}}
{{- end }}

{{/* Of a part: (list $ "watcher"). A Deployment's name must fit into a label with what its pods add. */}}
{{- define "reveille.part" -}}
{{- $name := printf "%s-%s" (include "reveille.name" (index . 0)) (index . 1) -}}
{{- if gt (len $name) 52 }}{{ printf "%s-%s" ($name | trunc 43) ($name | sha256sum | trunc 8) }}{{ else }}{{ $name }}{{ end -}}
{{- end }}

{{/* Of what needs no namespace: two installations of one name must differ. */}}
{{- define "reveille.wide" -}}
{{- printf "%s:%s-%s" (index . 0).Release.Namespace (include "reveille.name" (index . 0)) (index . 1) -}}
{{- end }}

{{- define "reveille.selector" -}}
app.kubernetes.io/name: reveille
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "reveille.labels" -}}
{{ include "reveille.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* Who may do what, as `npm run generate` derives it from the declarations. */}}
{{- define "reveille.rights" -}}
{{- .Files.Get "generated/rights.json" -}}
{{- end }}

{{/* The chosen systems: { names: […] }. Some run only where they are named. */}}
{{- define "reveille.systems" -}}
{{- $known := (include "reveille.rights" . | fromJson).systems -}}
{{- range .Values.systems -}}
{{- if not (hasKey $known .) }}{{ fail (printf "systems: there is no system %s; there are %s" . (keys $known | sortAlpha | join ", ")) }}{{ end -}}
{{- end -}}
{{- $names := list -}}
{{- range $name, $one := $known -}}
{{- if or (has $name $.Values.systems) (and (empty $.Values.systems) (not (hasKey $one "onlyWhenNamed"))) }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- dict "names" $names | toJson -}}
{{- end }}

{{/* The functions of the chosen systems: { names: […] }. */}}
{{- define "reveille.functions" -}}
{{- $systems := (include "reveille.systems" . | fromJson).names -}}
{{- $names := list -}}
{{- range $name, $one := (include "reveille.rights" . | fromJson).functions -}}
{{- if has $one.system $systems }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- dict "names" $names | toJson -}}
{{- end }}

{{/* Worker → functions: each group, and each function that is in none. */}}
{{- define "reveille.workers" -}}
{{- $names := (include "reveille.functions" . | fromJson).names -}}
{{- $in := dict -}}
{{- $workers := dict -}}
{{- range $group, $patterns := .Values.workers.groups -}}
{{- if has $group (list "watcher" "commands" "serve" "nats") }}{{ fail (printf "workers.groups: %s is the name of another part" $group) }}{{ end -}}
{{- $members := list -}}
{{- range $pattern := $patterns -}}
{{- $found := list -}}
{{- range $name := $names -}}
{{- if or (eq $name $pattern) (and (hasSuffix "*" $pattern) (hasPrefix (trimSuffix "*" $pattern) $name)) }}{{ $found = append $found $name }}{{ end -}}
{{- end -}}
{{- if empty $found }}{{ fail (printf "workers.groups.%s: no function fits %s; there are %s" $group $pattern (join ", " $names)) }}{{ end -}}
{{- $members = concat $members $found -}}
{{- end -}}
{{- range $name := uniq $members -}}
{{- if hasKey $in $name }}{{ fail (printf "workers.groups: %s is in %s and in %s" $name (get $in $name) $group) }}{{ end -}}
{{- $_ := set $in $name $group -}}
{{- end -}}
{{- $_ := set $workers $group (uniq $members) -}}
{{- end -}}
{{- range $name := $names -}}
{{- if not (hasKey $in $name) }}{{ if hasKey $workers $name }}{{ fail (printf "workers.groups.%s is the name of a function outside of it" $name) }}{{ end }}{{ $_ := set $workers $name (list $name) }}{{ end -}}
{{- end -}}
{{- toJson $workers -}}
{{- end }}

{{/* Where what all watchers and hosts of the release share lies: which functions are paused, and the Lease. */}}
{{- define "reveille.shared" -}}{{ .Release.Namespace }}{{- end }}

{{- define "reveille.leaseNamespace" -}}{{ .Values.watcher.leaseNamespace | default .Release.Namespace }}{{- end }}

{{/* Where both lay before, as a list: still read, so that an upgrade keeps what is paused and waits for who leads. */}}
{{- define "reveille.former" -}}
{{- if or (eq (toString .Values.rbac.former) "false") (eq .Release.Namespace "default") }}[]{{ else }}["default"]{{ end -}}
{{- end }}

{{- define "reveille.servers" -}}
{{- if .Values.bus.servers -}}
{{- toJson .Values.bus.servers -}}
{{- else if .Values.nats.enabled -}}
{{- $scheme := ternary "nats" "tls" (empty .Values.bus.tls.secretName) -}}
{{- list (printf "%s://%s.%s:4222" $scheme (include "reveille.part" (list . "nats")) .Release.Namespace) | toJson -}}
{{- else -}}
{{- fail "there is no bus: name one in bus.servers, or set nats.enabled" -}}
{{- end -}}
{{- end }}

{{/* The ports of the bus, each once. As the client takes them: 4222 where an address names none, whatever its scheme. */}}
{{- define "reveille.busPorts" -}}
{{- $ports := list -}}
{{- range include "reveille.servers" . | fromJsonArray -}}
{{- $host := regexReplaceAll "^[a-z]+://([^/]*).*$" . "${1}" -}}
{{- /* An address of IPv6 has colons of its own, within brackets where a port follows. */ -}}
{{- $port := regexReplaceAll "^.*:" (regexFind "(^[^:]*|\\]):[0-9]+$" $host) "" -}}
{{- $ports = append $ports (default "4222" $port | int) -}}
{{- end -}}
{{- uniq $ports | toJson -}}
{{- end }}

{{/* The admissions and hooks of the chosen systems: their rules and configurations, each a list; `asked` is false where nobody asks. */}}
{{- define "reveille.admissions" -}}
{{- $found := dict "namespaced" list "cluster" list "registration" list "configurations" list "asked" false -}}
{{- if .Values.admission.enabled -}}
{{- $known := (include "reveille.rights" . | fromJson).systems -}}
{{- range $system := (include "reveille.systems" . | fromJson).names -}}
{{- with (get $known $system).admission -}}
{{- $_ := set $found "namespaced" (concat $found.namespaced .rules.namespaced | uniq) -}}
{{- $_ := set $found "cluster" (concat $found.cluster .rules.cluster | uniq) -}}
{{- $_ := set $found "registration" (concat $found.registration .registration | uniq) -}}
{{- $_ := set $found "asked" true -}}
{{- $_ := set $found "configurations" (concat $found.configurations .configurations) -}}
{{- end -}}
{{- end -}}
{{- if and $found.asked (not .Values.serve.enabled) }}{{ fail "admission.enabled: `serve` answers the API server; set serve.enabled too" }}{{ end -}}
{{- end -}}
{{- toJson $found -}}
{{- end }}
