{{/*
Roles and bindings of one grant: `cluster` and `namespaced` rules; with `namespaces` the latter become a Role in each, else all are
one ClusterRole. Nothing where there are no rules.
*/}}
{{- define "reveille.grant" -}}
{{- $root := .root }}
{{- $wide := default list .cluster }}
{{- $narrow := default list .namespaced }}
{{- if empty .namespaces }}{{ $wide = concat $narrow $wide }}{{ $narrow = list }}{{ end }}
{{- if $wide }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "reveille.wide" (list $root .name) }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
rules:
  {{- toYaml $wide | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ include "reveille.wide" (list $root .name) }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ include "reveille.wide" (list $root .name) }}
subjects:
  {{- include "reveille.subjects" . | nindent 2 }}
{{- end }}
{{- if $narrow }}
{{- range $namespace := .namespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ include "reveille.wide" (list $root $.name) }}
  namespace: {{ $namespace }}
  labels:
    {{- include "reveille.labels" (list $root $.name) | nindent 4 }}
rules:
  {{- toYaml $narrow | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ include "reveille.wide" (list $root $.name) }}
  namespace: {{ $namespace }}
  labels:
    {{- include "reveille.labels" (list $root $.name) | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ include "reveille.wide" (list $root $.name) }}
subjects:
  {{- include "reveille.subjects" $ | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "reveille.subjects" -}}
{{- range $account := .accounts }}
- kind: ServiceAccount
  name: {{ include "reveille.part" (list $.root $account) }}
  namespace: {{ $.root.Release.Namespace }}
{{- end }}
{{- end }}
