// Written by infra/protobuf/generate.ts from api@v0.37.0/batch/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of batch.v1: see `../table.ts` for how a line is read. */
export const batchV1 = `
CronJob metadata=1.meta.v1.ObjectMeta spec=2.CronJobSpec status=3.CronJobStatus
CronJobSpec schedule=1s timeZone=8s startingDeadlineSeconds=2i concurrencyPolicy=3s? suspend=4b jobTemplate=5.JobTemplateSpec successfulJobsHistoryLimit=6i failedJobsHistoryLimit=7i
CronJobStatus active=1[.core.v1.ObjectReference] lastScheduleTime=4.meta.v1.Time lastSuccessfulTime=5.meta.v1.Time
Job metadata=1.meta.v1.ObjectMeta spec=2.JobSpec status=3.JobStatus
JobCondition type=1s status=2s lastProbeTime=3.meta.v1.Time lastTransitionTime=4.meta.v1.Time reason=5s? message=6s?
JobSchedulingConfiguration
JobSpec parallelism=1i completions=2i activeDeadlineSeconds=3i podFailurePolicy=11.PodFailurePolicy successPolicy=16.SuccessPolicy backoffLimit=7i backoffLimitPerIndex=12i maxFailedIndexes=13i selector=4.meta.v1.LabelSelector manualSelector=5b template=6.core.v1.PodTemplateSpec ttlSecondsAfterFinished=8i completionMode=9s suspend=10b podReplacementPolicy=14s managedBy=15s scheduling=17.JobSchedulingConfiguration
JobStatus conditions=1[.JobCondition] startTime=2.meta.v1.Time completionTime=3.meta.v1.Time active=4i? succeeded=5i? failed=6i? terminating=11i completedIndexes=7s? failedIndexes=10s uncountedTerminatedPods=8.UncountedTerminatedPods ready=9i
JobTemplateSpec metadata=1.meta.v1.ObjectMeta spec=2.JobSpec
PodFailurePolicy rules=1[.PodFailurePolicyRule]
PodFailurePolicyOnExitCodesRequirement containerName=1s operator=2s values=3[i]
PodFailurePolicyOnPodConditionsPattern type=1s status=2s
PodFailurePolicyRule action=1s onExitCodes=2.PodFailurePolicyOnExitCodesRequirement onPodConditions=3[.PodFailurePolicyOnPodConditionsPattern]
SuccessPolicy rules=1[.SuccessPolicyRule]
SuccessPolicyRule succeededIndexes=1s succeededCount=2i
UncountedTerminatedPods succeeded=1[s] failed=2[s]
`;
