{{- define "inlay.labels" -}}
{{ include "inlay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "inlay.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "inlay.databaseUrl" -}}
{{- if .Values.databaseUrl -}}
{{ .Values.databaseUrl }}
{{- else if .Values.postgresql.enabled -}}
postgres://inlay:{{ required "postgresql.password is required: set random characters" .Values.postgresql.password | urlquery | replace "+" "%20" }}@{{ .Release.Name }}-postgresql:5432/inlay
{{- end -}}
{{- end }}

{{- define "inlay.redisUrl" -}}
{{- if .Values.redisUrl -}}
{{ .Values.redisUrl }}
{{- else if .Values.redis.enabled -}}
redis://:{{ required "redis.password is required: set random characters" .Values.redis.password | urlquery | replace "+" "%20" }}@{{ .Release.Name }}-redis:6379/0
{{- end -}}
{{- end }}

{{- /* Whether the data are on a volume. A secret of the operator is taken to name a database. */ -}}
{{- define "inlay.isEmbedded" -}}
{{- if not (or .Values.existingSecret (include "inlay.databaseUrl" .)) }}true{{ end -}}
{{- end }}

{{- define "inlay.secretName" -}}
{{ .Values.existingSecret | default .Release.Name }}
{{- end }}

{{- define "inlay.pod" -}}
automountServiceAccountToken: false
# Otherwise, a service `inlay` sets INLAY_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: config
    configMap: { name: {{ .Release.Name }} }
  - name: data
    {{- if include "inlay.isEmbedded" . }}
    persistentVolumeClaim: { claimName: {{ .Release.Name }} }
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end }}

{{- define "inlay.container" -}}
name: inlay
image: '{{ required "image.repository is required: the name of the image, for example ghcr.io/you/inlay" .Values.image.repository }}:{{ required "image.tag is required: the version of the image" .Values.image.tag }}'
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - name: INLAY_BASE_URL
    value: {{ required "baseUrl is required: the public URL, for example https://chat.example" .Values.baseUrl | quote }}
envFrom:
  - secretRef: { name: {{ include "inlay.secretName" . }} }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: config, mountPath: /app/inlay.config.mjs, subPath: inlay.config.mjs, readOnly: true }
  - { name: data, mountPath: /data }
resources: {{ toYaml .Values.resources | nindent 2 }}
{{- end }}
