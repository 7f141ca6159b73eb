// Written by infra/protobuf/generate.ts from api@v0.37.0/storage/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of storage.v1: see `../table.ts` for how a line is read. */
export const storageV1 = `
CSIDriver metadata=1.meta.v1.ObjectMeta spec=2.CSIDriverSpec
CSIDriverSpec attachRequired=1b podInfoOnMount=2b volumeLifecycleModes=3[s] storageCapacity=4b fsGroupPolicy=5s tokenRequests=6[.TokenRequest] requiresRepublish=7b seLinuxMount=8b nodeAllocatableUpdatePeriodSeconds=9i serviceAccountTokenInSecrets=10b preventPodSchedulingIfMissing=11b
CSINode metadata=1.meta.v1.ObjectMeta spec=2.CSINodeSpec status=3.CSINodeStatus
CSINodeDriver name=1s nodeID=2s topologyKeys=3[s] allocatable=4.VolumeNodeResources
CSINodeSpec drivers=1[.CSINodeDriver]
CSINodeStatus storageHealth=1[.StorageHealth]
CSIStorageCapacity metadata=1.meta.v1.ObjectMeta nodeTopology=2.meta.v1.LabelSelector storageClassName=3s capacity=4.Quantity maximumVolumeSize=5.Quantity
StorageClass metadata=1.meta.v1.ObjectMeta provisioner=2s parameters=3{s} reclaimPolicy=4s mountOptions=5[s] allowVolumeExpansion=6b volumeBindingMode=7s allowedTopologies=8[.core.v1.TopologySelectorTerm]
StorageHealth name=1s healthConditions=2[.StorageHealthCondition]
StorageHealthCondition status=1s reason=2s message=3s? accessMode=4s volumeMode=5s lastTransitionTime=6.meta.v1.Time
TokenRequest audience=1s expirationSeconds=2i
VolumeAttachment metadata=1.meta.v1.ObjectMeta spec=2.VolumeAttachmentSpec status=3.VolumeAttachmentStatus
VolumeAttachmentSource persistentVolumeName=1s inlineVolumeSpec=2.core.v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher=1s source=2.VolumeAttachmentSource nodeName=3s
VolumeAttachmentStatus attached=1b attachmentMetadata=2{s} attachError=3.VolumeError detachError=4.VolumeError
VolumeAttributesClass metadata=1.meta.v1.ObjectMeta driverName=2s parameters=3{s}
VolumeError time=1.meta.v1.Time message=2s? errorCode=3i
VolumeNodeResources count=1i
`;
