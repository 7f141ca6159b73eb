// Written by infra/protobuf/generate.ts from api@v0.37.0/apps/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of apps.v1: see `../table.ts` for how a line is read. */
export const appsV1 = `
ControllerRevision metadata=1.meta.v1.ObjectMeta data=2.RawExtension revision=3i
DaemonSet metadata=1.meta.v1.ObjectMeta spec=2.DaemonSetSpec status=3.DaemonSetStatus
DaemonSetCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s?
DaemonSetSpec selector=1.meta.v1.LabelSelector template=2.core.v1.PodTemplateSpec updateStrategy=3.DaemonSetUpdateStrategy minReadySeconds=4i? revisionHistoryLimit=6i
DaemonSetStatus currentNumberScheduled=1i numberMisscheduled=2i desiredNumberScheduled=3i numberReady=4i observedGeneration=5i? updatedNumberScheduled=6i? numberAvailable=7i? numberUnavailable=8i? collisionCount=9i conditions=10[.DaemonSetCondition]
DaemonSetUpdateStrategy type=1s? rollingUpdate=2.RollingUpdateDaemonSet
Deployment metadata=1.meta.v1.ObjectMeta spec=2.DeploymentSpec status=3.DeploymentStatus
DeploymentCondition type=1s status=2s lastUpdateTime=6.meta.v1.Time lastTransitionTime=7.meta.v1.Time reason=4s? message=5s?
DeploymentSpec replicas=1i selector=2.meta.v1.LabelSelector template=3.core.v1.PodTemplateSpec strategy=4.DeploymentStrategy minReadySeconds=5i? revisionHistoryLimit=6i paused=7b? progressDeadlineSeconds=9i
DeploymentStatus observedGeneration=1i? replicas=2i? updatedReplicas=3i? readyReplicas=7i? availableReplicas=4i? unavailableReplicas=5i? terminatingReplicas=9i conditions=6[.DeploymentCondition] collisionCount=8i
DeploymentStrategy type=1s? rollingUpdate=2.RollingUpdateDeployment
ReplicaSet metadata=1.meta.v1.ObjectMeta spec=2.ReplicaSetSpec status=3.ReplicaSetStatus
ReplicaSetCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s?
ReplicaSetSpec replicas=1i minReadySeconds=4i? selector=2.meta.v1.LabelSelector template=3.core.v1.PodTemplateSpec
ReplicaSetStatus replicas=1i fullyLabeledReplicas=2i? readyReplicas=4i? availableReplicas=5i? terminatingReplicas=7i observedGeneration=3i? conditions=6[.ReplicaSetCondition]
RollingUpdateDaemonSet maxUnavailable=1.IntOrString maxSurge=2.IntOrString
RollingUpdateDeployment maxUnavailable=1.IntOrString maxSurge=2.IntOrString
RollingUpdateStatefulSetStrategy partition=1i maxUnavailable=2.IntOrString
StatefulSet metadata=1.meta.v1.ObjectMeta spec=2.StatefulSetSpec status=3.StatefulSetStatus
StatefulSetCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s?
StatefulSetOrdinals start=1i
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=1s? whenScaled=2s?
StatefulSetSpec replicas=1i selector=2.meta.v1.LabelSelector template=3.core.v1.PodTemplateSpec volumeClaimTemplates=4[.core.v1.PersistentVolumeClaim] serviceName=5s podManagementPolicy=6s? updateStrategy=7.StatefulSetUpdateStrategy revisionHistoryLimit=8i minReadySeconds=9i? persistentVolumeClaimRetentionPolicy=10.StatefulSetPersistentVolumeClaimRetentionPolicy ordinals=11.StatefulSetOrdinals
StatefulSetStatus observedGeneration=1i? replicas=2i readyReplicas=3i? currentReplicas=4i? updatedReplicas=5i? currentRevision=6s? updateRevision=7s? collisionCount=9i conditions=10[.StatefulSetCondition] availableReplicas=11i
StatefulSetUpdateStrategy type=1s? rollingUpdate=2.RollingUpdateStatefulSetStrategy
`;
