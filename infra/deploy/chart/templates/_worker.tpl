{{/* The Deployment of one worker: root, name, functions, and whether KEDA counts its pods. */}}
{{- define "reveille.worker" -}}
{{- $root := .root }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "reveille.part" (list $root .name) }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "reveille.selector" (list $root .name) | nindent 6 }}
  template:
    metadata:
      {{- include "reveille.podMetadata" (list $root .name) | nindent 6 }}
    spec:
      {{- include "reveille.podCommon" (list $root .name $root.Values.workers) | nindent 6 }}
      containers:
        - name: worker
          {{- include "reveille.containerCommon" (list $root .name $root.Values.workers) | nindent 10 }}
          args: [worker]
          env:
            {{- include "reveille.environment" (list $root .name) | nindent 12 }}
            - name: REVEILLE_WORKER_ONLY
              value: {{ join "," .functions | quote }}
          ports:
            - name: health
              containerPort: 8081
          volumeMounts:
            {{- include "reveille.mounts" (list $root .name) | nindent 12 }}
      volumes:
        {{- include "reveille.volumes" (list $root .name) | nindent 8 }}
{{- if $root.Values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "reveille.part" (list $root .name) }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "reveille.selector" (list $root .name) | nindent 6 }}
{{- end }}
{{- end }}

{{/* Counts a worker's pods by what waits for its functions: users' changes, sweeps, and retries and timers that are due. */}}
{{- define "reveille.scaledObject" -}}
{{- $root := .root }}
{{- $keda := $root.Values.workers.keda }}
{{- $monitoring := $keda.monitoring }}
{{- if empty $monitoring }}
{{- if or $root.Values.bus.servers (not $root.Values.nats.enabled) }}{{ fail "workers.keda.monitoring: name host:8222 of your NATS" }}{{ end }}
{{- $monitoring = printf "%s.%s.svc:8222" (include "reveille.part" (list $root "nats")) $root.Release.Namespace }}
{{- end }}
{{- if gt (int $keda.minimum) (int $keda.maximum) }}{{ fail (printf "workers.keda: minimum (%d) is more than maximum (%d)" (int $keda.minimum) (int $keda.maximum)) }}{{ end }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ include "reveille.part" (list $root .name) }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "reveille.part" (list $root .name) }}
  minReplicaCount: {{ $keda.minimum }}
  maxReplicaCount: {{ $keda.maximum }}
  pollingInterval: {{ $keda.pollingSeconds }}
  cooldownPeriod: {{ $keda.cooldownSeconds }}
  triggers:
    {{- range $function := .functions }}
    {{- range $sort, $stream := dict "urgent" "work" "sweep" "work" "due" "state" }}
    - type: nats-jetstream
      metadata:
        natsServerMonitoringEndpoint: {{ $monitoring | quote }}
        account: {{ $keda.account | quote }}
        stream: {{ printf "%s-%s" $root.Values.bus.prefix $stream | quote }}
        consumer: {{ printf "%s-%s" $function $sort | quote }}
        lagThreshold: {{ $keda.lag | quote }}
        activationLagThreshold: "0"
        useHttps: "false"
    {{- end }}
    {{- end }}
{{- end }}
