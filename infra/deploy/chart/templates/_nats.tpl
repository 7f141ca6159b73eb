{{- define "reveille.natsConfig" -}}
server_name: $POD_NAME
listen: 0.0.0.0:4222
http: 0.0.0.0:8222
pid_file: /run/nats/nats.pid
lame_duck_grace_period: 10s
lame_duck_duration: 30s
jetstream {
  store_dir: /data
  {{- if eq (int .Values.nats.replicas) 1 }}
  # One server alone: what is acknowledged must be on the disk.
  sync_interval: always
  {{- end }}
}
{{- if gt (int .Values.nats.replicas) 1 }}
cluster {
  name: {{ include "reveille.part" (list $ "nats") }}
  listen: 0.0.0.0:6222
  {{- if ne .Values.bus.auth.method "none" }}
  # Whoever joins as a server reads and writes everything, whatever users there are.
  authorization {
    user: {{ include "reveille.busUser" (list $ "nats") | quote }}
    password: ${{ include "reveille.busVariable" (list $ "nats") }}
  }
  {{- end }}
  {{- if .Values.bus.tls.secretName }}
  # Between servers both sides show their certificate.
  tls {
    cert_file: /etc/nats-tls/tls.crt
    key_file: /etc/nats-tls/tls.key
    ca_file: /etc/nats-tls/ca.crt
    verify: true
  }
  {{- end }}
  routes: [
    {{- range $index := until (int .Values.nats.replicas) }}
    {{ if ne $.Values.bus.auth.method "none" }}${{ include "reveille.routeVariable" (list $ $index) }}{{ else }}nats://{{ include "reveille.routeHost" (list $ $index) }}{{ end }}
    {{- end }}
  ]
}
{{- end }}
{{- if .Values.bus.tls.secretName }}
tls {
  cert_file: /etc/nats-tls/tls.crt
  key_file: /etc/nats-tls/tls.key
  ca_file: /etc/nats-tls/ca.crt
  verify: {{ .Values.bus.tls.clientCertificate }}
}
{{- end }}
{{- if ne .Values.bus.auth.method "none" }}
authorization {
  users: [
    {{- $rights := .Files.Get "generated/bus-rights.json" | fromJson }}
    {{- range $part := (include "reveille.busUsers" . | fromJson).parts }}
    {{- $publish := list }}
    {{- $subscribe := list }}
    {{- range $name := $part.of }}
    {{- $publish = concat $publish (get $rights $name).publish }}
    {{- $subscribe = concat $subscribe (get $rights $name).subscribe }}
    {{- end }}
    {
      user: {{ include "reveille.busUser" (list $ $part.name) | quote }}
      password: ${{ include "reveille.busVariable" (list $ $part.name) }}
      permissions {
        publish { allow: {{ uniq $publish | sortAlpha | toJson | replace "PREFIX" $.Values.bus.prefix | replace "\\u003e" ">" }} }
        subscribe { allow: {{ append (uniq $subscribe | sortAlpha) (printf "_INBOX.%s.>" (include "reveille.busUser" (list $ $part.name))) | toJson | replace "PREFIX" $.Values.bus.prefix | replace "\\u003e" ">" }} }
        allow_responses: true
      }
    }
    {{- end }}
  ]
}
{{- end }}
{{- end }}

{{/* Who connects to the bus, and whose rights each has: { parts: [{ name, of }] }. */}}
{{- define "reveille.busUsers" -}}
{{- $parts := list (dict "name" "watcher" "of" (list "watcher")) -}}
{{- range $name, $functions := include "reveille.workers" . | fromJson }}{{ $parts = append $parts (dict "name" $name "of" $functions) }}{{ end -}}
{{- if .Values.commands.enabled }}{{ $parts = append $parts (dict "name" "commands" "of" (list "commands")) }}{{ end -}}
{{- if .Values.serve.enabled }}{{ $parts = append $parts (dict "name" "serve" "of" (list "serve")) }}{{ end -}}
{{- dict "parts" $parts | toJson -}}
{{- end }}

{{- define "reveille.busUser" -}}
{{- printf "%s-%s" (index . 0).Values.bus.prefix (index . 1) -}}
{{- end }}

{{/* The variable of the server's environment that holds a user's password. */}}
{{- define "reveille.busVariable" -}}
{{- printf "%s_PASSWORD" (include "reveille.busUser" . | upper | replace "-" "_") -}}
{{- end }}

{{/* Where the other servers reach the one with this number. */}}
{{- define "reveille.routeHost" -}}
{{- $name := include "reveille.part" (list (index . 0) "nats") -}}
{{- printf "%s-%d.%s.%s.svc:6222" $name (index . 1 | int) $name (index . 0).Release.Namespace -}}
{{- end }}

{{/*
The variable that holds the route to it. nats-server puts no variable into a string, so that an address with a password in it is one
itself, which kubelet puts together.
*/}}
{{- define "reveille.routeVariable" -}}
{{- printf "%s_ROUTE_%d" (include "reveille.busUser" (list (index . 0) "nats") | upper | replace "-" "_") (index . 1 | int) -}}
{{- end }}
