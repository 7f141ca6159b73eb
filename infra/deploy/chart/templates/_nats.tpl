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
{{- if .Values.nats.authSecretName }}
include ../nats-auth/auth.conf
{{- end }}
{{- end }}
