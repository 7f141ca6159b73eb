// Written by infra/protobuf/generate.ts from apimachinery@v0.37.0/pkg/apis/meta/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of meta.v1: see `../table.ts` for how a line is read. */
export const metaV1 = `
APIGroup name=1s versions=2[.GroupVersionForDiscovery] preferredVersion=3.GroupVersionForDiscovery serverAddressByClientCIDRs=4[.ServerAddressByClientCIDR]
APIResource name=1s singularName=6s namespaced=2b group=8s? version=9s? kind=3s verbs=4.Verbs shortNames=5[s] categories=7[s] storageVersionHash=10s?
APIVersions versions=1[s] serverAddressByClientCIDRs=2[.ServerAddressByClientCIDR]
ApplyOptions dryRun=1[s] force=2b fieldManager=3s
Condition type=1s status=2s observedGeneration=3i? lastTransitionTime=4.Time reason=5s message=6s
CreateOptions dryRun=1[s] fieldManager=3s? fieldValidation=4s?
DeleteOptions gracePeriodSeconds=1i preconditions=2.Preconditions orphanDependents=3b propagationPolicy=4s dryRun=5[s] ignoreStoreReadErrorWithClusterBreakingPotential=6b
Duration duration=1i
FieldSelectorRequirement key=1s operator=2s values=3[s]
FieldsV1 Raw=1x
GetOptions resourceVersion=1s?
GroupKind group=1s kind=2s
GroupResource group=1s resource=2s
GroupVersion group=1s version=2s
GroupVersionForDiscovery groupVersion=1s version=2s
GroupVersionKind group=1s version=2s kind=3s
GroupVersionResource group=1s version=2s resource=3s
LabelSelector matchLabels=1{s} matchExpressions=2[.LabelSelectorRequirement]
LabelSelectorRequirement key=1s operator=2s values=3[s]
List metadata=1.ListMeta items=2[.RawExtension]
ListMeta selfLink=1s? resourceVersion=2s? continue=3s? remainingItemCount=4i shardInfo=5.ShardInfo
ListOptions labelSelector=1s? fieldSelector=2s? watch=3b? allowWatchBookmarks=9b? resourceVersion=4s? resourceVersionMatch=10s? timeoutSeconds=5i limit=7i? continue=8s? sendInitialEvents=11b shardSelector=15s?
ManagedFieldsEntry manager=1s? operation=2s? apiVersion=3s? time=4.Time fieldsType=6s? fieldsV1=7.FieldsV1 subresource=8s?
MicroTime seconds=1i nanos=2i
ObjectMeta name=1s? generateName=2s? namespace=3s? selfLink=4s? uid=5s? resourceVersion=6s? generation=7i? creationTimestamp=8.Time deletionTimestamp=9.Time deletionGracePeriodSeconds=10i labels=11{s} annotations=12{s} ownerReferences=13[.OwnerReference] finalizers=14[s] managedFields=17[.ManagedFieldsEntry]
OwnerReference apiVersion=5s kind=1s name=3s uid=4s controller=6b blockOwnerDeletion=7b
PartialObjectMetadata metadata=1.ObjectMeta
Patch
PatchOptions dryRun=1[s] force=2b fieldManager=3s? fieldValidation=4s?
Preconditions uid=1s resourceVersion=2s
RootPaths paths=1[s]
ServerAddressByClientCIDR clientCIDR=1s serverAddress=2s
ShardInfo selector=1s
Status metadata=1.ListMeta status=2s? message=3s? reason=4s? details=5.StatusDetails code=6i?
StatusCause reason=1s? message=2s? field=3s?
StatusDetails name=1s? group=2s? kind=3s? uid=6s? causes=4[.StatusCause] retryAfterSeconds=5i?
TableOptions includeObject=1s?
Time seconds=1i nanos=2i
Timestamp seconds=1i nanos=2i
TypeMeta kind=1s? apiVersion=2s?
UpdateOptions dryRun=1[s] fieldManager=2s? fieldValidation=3s?
Verbs items=1[s]
WatchEvent type=1s object=2.RawExtension
`;
