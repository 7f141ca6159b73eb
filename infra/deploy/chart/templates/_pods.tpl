{{/* What all pods of ours are alike in. */}}

{{- define "reveille.image" -}}
{{- with .Values.image -}}
{{- if empty .repository }}{{ fail "image.repository: name the image that you built with infra/deploy/Containerfile and pushed, such as registry.example.org/reveille" }}{{ end -}}
{{- if .digest }}{{ printf "%s@%s" .repository .digest }}{{ else }}{{ printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}{{ end -}}
{{- end -}}
{{- end }}

{{- define "reveille.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "reveille.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Settings of one part beside the file that all share, as environment: secrets are named by their files. */}}
{{- define "reveille.environment" -}}
- name: REVEILLE_CONFIG
  value: /etc/reveille/reveille.yaml
- name: REVEILLE_HEALTH_LISTEN
  value: 0.0.0.0:8081
{{- with (index . 0).Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- with (index . 0).Values.bus.auth }}
{{- if ne .method "none" }}
- name: REVEILLE_BUS_NATS_INBOX
  value: {{ printf "_INBOX.%s" (include "reveille.busUser" $) | quote }}
{{- end }}
{{- if eq .method "password" }}
- name: REVEILLE_BUS_NATS_USER
  value: {{ include "reveille.busUser" $ | quote }}
- name: REVEILLE_BUS_NATS_PASSWORD_FILE
  value: /run/reveille/bus/credential
{{- else if eq .method "token" }}
- name: REVEILLE_BUS_NATS_TOKEN_FILE
  value: /run/reveille/bus/credential
{{- else if eq .method "nkey" }}
- name: REVEILLE_BUS_NATS_NKEY_FILE
  value: /run/reveille/bus/credential
{{- else if eq .method "creds" }}
- name: REVEILLE_BUS_NATS_CREDENTIALS_FILE
  value: /run/reveille/bus/credential
{{- end }}
{{- end }}
{{- end }}

{{- define "reveille.mounts" -}}
- name: settings
  mountPath: /etc/reveille
  readOnly: true
{{- with (index . 0).Values.bus }}
{{- if ne .auth.method "none" }}
- name: bus
  mountPath: /run/reveille/bus
  readOnly: true
{{- end }}
{{- if .tls.secretName }}
- name: bus-tls
  mountPath: /run/reveille/bus-tls
  readOnly: true
{{- end }}
{{- end }}
{{- end }}

{{- define "reveille.volumes" -}}
- name: settings
  configMap:
    name: {{ include "reveille.part" (list (index . 0) "settings") }}
{{- with (index . 0).Values.bus }}
{{- if ne .auth.method "none" }}
- name: bus
  secret:
    secretName: {{ required "bus.auth.secretName: name the Secret with the credentials" .auth.secretName }}
    defaultMode: 0440
    items:
      - key: {{ index $ 1 }}
        path: credential
{{- end }}
{{- if .tls.secretName }}
- name: bus-tls
  secret:
    secretName: {{ .tls.secretName }}
    defaultMode: 0440
{{- end }}
{{- end }}
{{- end }}

{{- define "reveille.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{/* A changed setting starts the pods anew. */}}
{{- define "reveille.podMetadata" -}}
labels:
  {{- include "reveille.labels" . | nindent 2 }}
annotations:
  checksum/settings: {{ include "reveille.settings" (index . 0) | sha256sum }}
  {{- with (index . 0).Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* From the account to the image: (list $ component values). */}}
{{- define "reveille.podCommon" -}}
{{- $root := index . 0 -}}
serviceAccountName: {{ include "reveille.part" (list $root (index . 1)) }}
automountServiceAccountToken: true
enableServiceLinks: false
# Else it would be process 1, which no signal of its own can end: not even the watchdog's.
shareProcessNamespace: true
# Longer than the drain limit of 25 s, after what comes before SIGTERM.
terminationGracePeriodSeconds: {{ eq (index . 1) "serve" | ternary (include "reveille.unroutedSeconds" $root | int) 0 | add 35 }}
securityContext:
  {{- include "reveille.podSecurity" $root | nindent 2 }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* How long an ending pod that others send requests to still takes them: proxies and ingresses hear of its end after it began. */}}
{{- define "reveille.unroutedSeconds" -}}5{{- end }}

{{- define "reveille.containerCommon" -}}
{{- $root := index . 0 -}}
image: {{ include "reveille.image" $root | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext:
  {{- include "reveille.containerSecurity" $root | nindent 2 }}
resources:
  {{- toYaml (index . 2).resources | nindent 2 }}
{{ include "reveille.probes" $root }}
{{- end }}

{{- define "reveille.settings" -}}
{{- $nats := dict "servers" (include "reveille.servers" . | fromJsonArray) "prefix" .Values.bus.prefix "replicas" .Values.bus.replicas -}}
{{- if and .Values.nats.enabled (empty .Values.bus.servers) }}{{ $_ := set $nats "replicas" .Values.nats.replicas }}{{ end -}}
{{- if .Values.bus.tls.secretName -}}
{{- $tls := dict "ca" "/run/reveille/bus-tls/ca.crt" -}}
{{- if .Values.bus.tls.clientCertificate -}}
{{- $_ := set $tls "certificate" "/run/reveille/bus-tls/tls.crt" -}}
{{- $_ := set $tls "key" "/run/reveille/bus-tls/tls.key" -}}
{{- end -}}
{{- $_ := set $nats "tls" $tls -}}
{{- end -}}
{{- $ours := dict
  "cluster" (dict "name" .Values.clusterName)
  "bus" (dict "kind" "nats" "nats" $nats)
  "home" (dict "namespace" .Release.Namespace)
  "watcher" (dict "ledger" "/var/lib/reveille/ledger.db" "lease" (dict "namespace" (include "reveille.leaseNamespace" .)))
  "worker" (dict "parallel" .Values.workers.parallel)
  "serve" (dict "listen" "0.0.0.0:8080")
-}}
{{- if (include "reveille.admissions" . | fromJson).asked -}}
{{- $service := dict "name" (include "reveille.part" (list . "serve")) "namespace" .Release.Namespace -}}
{{- $_ := set $ours.watcher "webhooks" (dict "service" $service "secret" (include "reveille.part" (list . "webhooks"))) -}}
{{- $files := dict "certificate" "/run/reveille/webhooks/tls.crt" "key" "/run/reveille/webhooks/tls.key" -}}
{{- $_ := set $ours.serve "admission" (merge (dict "listen" "0.0.0.0:8443") $files) -}}
{{- end -}}
{{- if .Values.namespaces }}{{ $_ := set $ours "namespaces" .Values.namespaces }}{{ end -}}
{{- if .Values.systems }}{{ $_ := set $ours "systems" .Values.systems }}{{ end -}}
{{- if .Values.configuration }}{{ $_ := set $ours "configuration" .Values.configuration }}{{ end -}}
{{- toYaml (mergeOverwrite $ours (deepCopy .Values.settings)) -}}
{{- end }}
