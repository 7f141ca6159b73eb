{{- define "reveille.natsConfig" -}}
{{- $name := include "reveille.part" (list $ "nats") -}}
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
  name: {{ $name }}
  listen: 0.0.0.0:6222
  routes: [
    {{- range $index := until (int .Values.nats.replicas) }}
    nats://{{ $name }}-{{ $index }}.{{ $name }}.{{ $.Release.Namespace }}.svc:6222
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
