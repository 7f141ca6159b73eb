// Written by infra/protobuf/generate.ts from api@v0.37.0/core/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of core.v1: see `../table.ts` for how a line is read. */
export const coreV1 = `
AWSElasticBlockStoreVolumeSource volumeID=1s fsType=2s? partition=3i? readOnly=4b?
Affinity nodeAffinity=1.NodeAffinity podAffinity=2.PodAffinity podAntiAffinity=3.PodAntiAffinity
AppArmorProfile type=1s localhostProfile=2s
AttachedVolume name=1s devicePath=2s
AvoidPods preferAvoidPods=1[.PreferAvoidPodsEntry]
AzureDiskVolumeSource diskName=1s diskURI=2s cachingMode=3s fsType=4s readOnly=5b kind=6s
AzureFilePersistentVolumeSource secretName=1s shareName=2s readOnly=3b? secretNamespace=4s
AzureFileVolumeSource secretName=1s shareName=2s readOnly=3b?
Binding metadata=1.meta.v1.ObjectMeta target=2.ObjectReference
CSIPersistentVolumeSource driver=1s volumeHandle=2s readOnly=3b? fsType=4s? volumeAttributes=5{s} controllerPublishSecretRef=6.SecretReference nodeStageSecretRef=7.SecretReference nodePublishSecretRef=8.SecretReference controllerExpandSecretRef=9.SecretReference nodeExpandSecretRef=10.SecretReference
CSIVolumeSource driver=1s readOnly=2b fsType=3s volumeAttributes=4{s} nodePublishSecretRef=5.LocalObjectReference
Capabilities add=1[s] drop=2[s]
CephFSPersistentVolumeSource monitors=1[s] path=2s? user=3s? secretFile=4s? secretRef=5.SecretReference readOnly=6b?
CephFSVolumeSource monitors=1[s] path=2s? user=3s? secretFile=4s? secretRef=5.LocalObjectReference readOnly=6b?
CinderPersistentVolumeSource volumeID=1s fsType=2s? readOnly=3b? secretRef=4.SecretReference
CinderVolumeSource volumeID=1s fsType=2s? readOnly=3b? secretRef=4.LocalObjectReference
ClientIPConfig timeoutSeconds=1i
ClusterTrustBundleProjection name=1s signerName=2s labelSelector=3.meta.v1.LabelSelector optional=5b path=4s user=6i
ComponentCondition type=1s status=2s message=3s? error=4s?
ComponentStatus metadata=1.meta.v1.ObjectMeta conditions=2[.ComponentCondition]
ConfigMap metadata=1.meta.v1.ObjectMeta immutable=4b data=2{s} binaryData=3{x}
ConfigMapEnvSource =1.LocalObjectReference optional=2b
ConfigMapKeySelector =1.LocalObjectReference key=2s optional=3b
ConfigMapNodeConfigSource namespace=1s name=2s uid=3s? resourceVersion=4s? kubeletConfigKey=5s
ConfigMapProjection =1.LocalObjectReference items=2[.KeyToPath] optional=4b
ConfigMapVolumeSource =1.LocalObjectReference items=2[.KeyToPath] defaultMode=3i optional=4b defaultUser=5i
Container name=1s image=2s? command=3[s] args=4[s] workingDir=5s? ports=6[.ContainerPort] envFrom=19[.EnvFromSource] env=7[.EnvVar] resources=8.ResourceRequirements resizePolicy=23[.ContainerResizePolicy] restartPolicy=24s restartPolicyRules=25[.ContainerRestartRule] volumeMounts=9[.VolumeMount] volumeDevices=21[.VolumeDevice] livenessProbe=10.Probe readinessProbe=11.Probe startupProbe=22.Probe lifecycle=12.Lifecycle terminationMessagePath=13s? terminationMessagePolicy=20s? imagePullPolicy=14s? securityContext=15.SecurityContext stdin=16b? stdinOnce=17b? tty=18b?
ContainerExtendedResourceRequest containerName=1s resourceName=2s requestName=3s
ContainerImage names=1[s] sizeBytes=2i?
ContainerPort name=1s? hostPort=2i? containerPort=3i protocol=4s? hostIP=5s?
ContainerResizePolicy resourceName=1s restartPolicy=2s
ContainerRestartRule action=1s? exitCodes=2.ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator=1s? values=2[i]
ContainerState waiting=1.ContainerStateWaiting running=2.ContainerStateRunning terminated=3.ContainerStateTerminated
ContainerStateRunning startedAt=1.meta.v1.Time
ContainerStateTerminated exitCode=1i signal=2i? reason=3s? message=4s? startedAt=5.meta.v1.Time finishedAt=6.meta.v1.Time containerID=7s?
ContainerStateWaiting reason=1s? message=2s?
ContainerStatus name=1s state=2.ContainerState lastState=3.ContainerState ready=4b restartCount=5i image=6s imageID=7s containerID=8s? started=9b allocatedResources=10{.Quantity} resources=11.ResourceRequirements volumeMounts=12[.VolumeMountStatus] user=13.ContainerUser allocatedResourcesStatus=14[.ResourceStatus] stopSignal=15s
ContainerUser linux=1.LinuxContainerUser
DaemonEndpoint Port=1i
DownwardAPIProjection items=1[.DownwardAPIVolumeFile]
DownwardAPIVolumeFile path=1s fieldRef=2.ObjectFieldSelector resourceFieldRef=3.ResourceFieldSelector mode=4i user=5i
DownwardAPIVolumeSource items=1[.DownwardAPIVolumeFile] defaultMode=2i defaultUser=3i
EmptyDirVolumeSource medium=1s? sizeLimit=2.Quantity mode=3i
EndpointAddress ip=1s hostname=3s? nodeName=4s targetRef=2.ObjectReference
EndpointPort name=1s? port=2i protocol=3s? appProtocol=4s
EndpointSubset addresses=1[.EndpointAddress] notReadyAddresses=2[.EndpointAddress] ports=3[.EndpointPort]
Endpoints metadata=1.meta.v1.ObjectMeta subsets=2[.EndpointSubset]
EnvFromSource prefix=1s? configMapRef=2.ConfigMapEnvSource secretRef=3.SecretEnvSource
EnvVar name=1s value=2s? valueFrom=3.EnvVarSource
EnvVarSource fieldRef=1.ObjectFieldSelector resourceFieldRef=2.ResourceFieldSelector configMapKeyRef=3.ConfigMapKeySelector secretKeyRef=4.SecretKeySelector fileKeyRef=5.FileKeySelector
EphemeralContainer =1.EphemeralContainerCommon targetContainerName=2s?
EphemeralContainerCommon name=1s image=2s? command=3[s] args=4[s] workingDir=5s? ports=6[.ContainerPort] envFrom=19[.EnvFromSource] env=7[.EnvVar] resources=8.ResourceRequirements resizePolicy=23[.ContainerResizePolicy] restartPolicy=24s restartPolicyRules=25[.ContainerRestartRule] volumeMounts=9[.VolumeMount] volumeDevices=21[.VolumeDevice] livenessProbe=10.Probe readinessProbe=11.Probe startupProbe=22.Probe lifecycle=12.Lifecycle terminationMessagePath=13s? terminationMessagePolicy=20s? imagePullPolicy=14s? securityContext=15.SecurityContext stdin=16b? stdinOnce=17b? tty=18b?
EphemeralVolumeSource volumeClaimTemplate=1.PersistentVolumeClaimTemplate
Event metadata=1.meta.v1.ObjectMeta involvedObject=2.ObjectReference reason=3s? message=4s? source=5.EventSource firstTimestamp=6.meta.v1.Time lastTimestamp=7.meta.v1.Time count=8i? type=9s? eventTime=10.meta.v1.MicroTime series=11.EventSeries action=12s? related=13.ObjectReference reportingComponent=14s reportingInstance=15s
EventSeries count=1i? lastObservedTime=2.meta.v1.MicroTime
EventSource component=1s? host=2s?
EvictionResponder name=1s priority=2i
ExecAction command=1[s]
FCVolumeSource targetWWNs=1[s] lun=2i fsType=3s? readOnly=4b? wwids=5[s]
FileKeySelector volumeName=1s path=2s key=3s optional=4b
FlexPersistentVolumeSource driver=1s fsType=2s? secretRef=3.SecretReference readOnly=4b? options=5{s}
FlexVolumeSource driver=1s fsType=2s? secretRef=3.LocalObjectReference readOnly=4b? options=5{s}
FlockerVolumeSource datasetName=1s? datasetUUID=2s?
GCEPersistentDiskVolumeSource pdName=1s fsType=2s? partition=3i? readOnly=4b?
GRPCAction port=1i service=2s mode=3s
GitRepoVolumeSource repository=1s revision=2s? directory=3s?
GlusterfsPersistentVolumeSource endpoints=1s path=2s readOnly=3b? endpointsNamespace=4s
GlusterfsVolumeSource endpoints=1s path=2s readOnly=3b?
HTTPGetAction path=1s? port=2.IntOrString host=3s? scheme=4s? httpHeaders=5[.HTTPHeader] protocol=6s
HTTPHeader name=1s value=2s
HostAlias ip=1s hostnames=2[s]
HostIP ip=1s
HostPathVolumeSource path=1s type=2s
ISCSIPersistentVolumeSource targetPortal=1s iqn=2s lun=3i iscsiInterface=4s? fsType=5s? readOnly=6b? portals=7[s] chapAuthDiscovery=8b? chapAuthSession=11b? secretRef=10.SecretReference initiatorName=12s
ISCSIVolumeSource targetPortal=1s iqn=2s lun=3i iscsiInterface=4s? fsType=5s? readOnly=6b? portals=7[s] chapAuthDiscovery=8b? chapAuthSession=11b? secretRef=10.LocalObjectReference initiatorName=12s
ImageVolumeSource reference=1s? pullPolicy=2s?
ImageVolumeStatus imageRef=1s?
KeyToPath key=1s path=2s mode=3i user=4i
Lifecycle postStart=1.LifecycleHandler preStop=2.LifecycleHandler stopSignal=3s
LifecycleHandler exec=1.ExecAction httpGet=2.HTTPGetAction tcpSocket=3.TCPSocketAction sleep=4.SleepAction
LimitRange metadata=1.meta.v1.ObjectMeta spec=2.LimitRangeSpec
LimitRangeItem type=1s max=2{.Quantity} min=3{.Quantity} default=4{.Quantity} defaultRequest=5{.Quantity} maxLimitRequestRatio=6{.Quantity}
LimitRangeSpec limits=1[.LimitRangeItem]
LinuxContainerUser uid=1i gid=2i supplementalGroups=3[i]
List metadata=1.meta.v1.ListMeta items=2[.RawExtension]
LoadBalancerIngress ip=1s? hostname=2s? ipMode=3s ports=4[.PortStatus]
LoadBalancerStatus ingress=1[.LoadBalancerIngress]
LocalObjectReference name=1s?
LocalVolumeSource path=1s fsType=2s
ModifyVolumeStatus targetVolumeAttributesClassName=1s? status=2s
NFSVolumeSource server=1s path=2s readOnly=3b?
Namespace metadata=1.meta.v1.ObjectMeta spec=2.NamespaceSpec status=3.NamespaceStatus
NamespaceCondition type=1s status=2s lastTransitionTime=4.meta.v1.Time reason=5s? message=6s?
NamespaceSpec finalizers=1[s]
NamespaceStatus phase=1s? conditions=2[.NamespaceCondition]
Node metadata=1.meta.v1.ObjectMeta spec=2.NodeSpec status=3.NodeStatus
NodeAddress type=1s address=2s
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution=1.NodeSelector preferredDuringSchedulingIgnoredDuringExecution=2[.PreferredSchedulingTerm]
NodeAllocatableMappedResources name=1s quantity=2.Quantity
NodeAllocatableOverheadResources name=1s perPod=2.Quantity perContainer=3.Quantity
NodeAllocatableResourceClaimStatus resourceClaimName=1s containers=2[s] mapping=4[.NodeAllocatableMappedResources] overhead=5[.NodeAllocatableOverheadResources]
NodeCondition type=1s status=2s lastHeartbeatTime=3.meta.v1.Time lastTransitionTime=4.meta.v1.Time reason=5s? message=6s?
NodeConfigSource configMap=2.ConfigMapNodeConfigSource
NodeConfigStatus assigned=1.NodeConfigSource active=2.NodeConfigSource lastKnownGood=3.NodeConfigSource error=4s?
NodeDaemonEndpoints kubeletEndpoint=1.DaemonEndpoint
NodeFeatures supplementalGroupsPolicy=1b
NodePodPreemptionPolicy disableResizePreemption=1[s]
NodeProxyOptions path=1s?
NodeRuntimeHandler name=1s features=2.NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts=1b userNamespaces=2b
NodeSelector nodeSelectorTerms=1[.NodeSelectorTerm]
NodeSelectorRequirement key=1s operator=2s values=3[s]
NodeSelectorTerm matchExpressions=1[.NodeSelectorRequirement] matchFields=2[.NodeSelectorRequirement]
NodeSpec podCIDR=1s? podCIDRs=7[s] providerID=3s? unschedulable=4b? taints=5[.Taint] configSource=6.NodeConfigSource externalID=2s? podPreemptionPolicy=8.NodePodPreemptionPolicy
NodeStatus capacity=1{.Quantity} allocatable=2{.Quantity} phase=3s? conditions=4[.NodeCondition] addresses=5[.NodeAddress] daemonEndpoints=6.NodeDaemonEndpoints nodeInfo=7.NodeSystemInfo images=8[.ContainerImage] volumesInUse=9[s] volumesAttached=10[.AttachedVolume] config=11.NodeConfigStatus runtimeHandlers=12[.NodeRuntimeHandler] features=13.NodeFeatures declaredFeatures=14[s]
NodeSwapStatus capacity=1i
NodeSystemInfo machineID=1s systemUUID=2s bootID=3s kernelVersion=4s osImage=5s containerRuntimeVersion=6s kubeletVersion=7s kubeProxyVersion=8s operatingSystem=9s architecture=10s swap=11.NodeSwapStatus runningInUserNamespace=12b
ObjectFieldSelector apiVersion=1s? fieldPath=2s
ObjectReference kind=1s? namespace=2s? name=3s? uid=4s? apiVersion=5s? resourceVersion=6s? fieldPath=7s?
PersistentVolume metadata=1.meta.v1.ObjectMeta spec=2.PersistentVolumeSpec status=3.PersistentVolumeStatus
PersistentVolumeClaim metadata=1.meta.v1.ObjectMeta spec=2.PersistentVolumeClaimSpec status=3.PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type=1s status=2s lastProbeTime=3.meta.v1.Time lastTransitionTime=4.meta.v1.Time reason=5s? message=6s?
PersistentVolumeClaimSpec accessModes=1[s] selector=4.meta.v1.LabelSelector resources=2.VolumeResourceRequirements volumeName=3s? storageClassName=5s volumeMode=6s dataSource=7.TypedLocalObjectReference dataSourceRef=8.TypedObjectReference volumeAttributesClassName=9s
PersistentVolumeClaimStatus phase=1s? accessModes=2[s] capacity=3{.Quantity} conditions=4[.PersistentVolumeClaimCondition] allocatedResources=5{.Quantity} allocatedResourceStatuses=7{s} currentVolumeAttributesClassName=8s modifyVolumeStatus=9.ModifyVolumeStatus healthStatus=10.VolumeHealthStatus
PersistentVolumeClaimTemplate metadata=1.meta.v1.ObjectMeta spec=2.PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName=1s readOnly=2b?
PersistentVolumeSource gcePersistentDisk=1.GCEPersistentDiskVolumeSource awsElasticBlockStore=2.AWSElasticBlockStoreVolumeSource hostPath=3.HostPathVolumeSource glusterfs=4.GlusterfsPersistentVolumeSource nfs=5.NFSVolumeSource rbd=6.RBDPersistentVolumeSource iscsi=7.ISCSIPersistentVolumeSource cinder=8.CinderPersistentVolumeSource cephfs=9.CephFSPersistentVolumeSource fc=10.FCVolumeSource flocker=11.FlockerVolumeSource flexVolume=12.FlexPersistentVolumeSource azureFile=13.AzureFilePersistentVolumeSource vsphereVolume=14.VsphereVirtualDiskVolumeSource quobyte=15.QuobyteVolumeSource azureDisk=16.AzureDiskVolumeSource photonPersistentDisk=17.PhotonPersistentDiskVolumeSource portworxVolume=18.PortworxVolumeSource scaleIO=19.ScaleIOPersistentVolumeSource local=20.LocalVolumeSource storageos=21.StorageOSPersistentVolumeSource csi=22.CSIPersistentVolumeSource
PersistentVolumeSpec capacity=1{.Quantity} =2.PersistentVolumeSource accessModes=3[s] claimRef=4.ObjectReference persistentVolumeReclaimPolicy=5s? storageClassName=6s? mountOptions=7[s] volumeMode=8s nodeAffinity=9.VolumeNodeAffinity volumeAttributesClassName=10s
PersistentVolumeStatus phase=1s? message=2s? reason=3s? lastPhaseTransitionTime=4.meta.v1.Time
PhotonPersistentDiskVolumeSource pdID=1s fsType=2s?
Pod metadata=1.meta.v1.ObjectMeta spec=2.PodSpec status=3.PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution=1[.PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution=2[.WeightedPodAffinityTerm]
PodAffinityTerm labelSelector=1.meta.v1.LabelSelector namespaces=2[s] topologyKey=3s namespaceSelector=4.meta.v1.LabelSelector matchLabelKeys=5[s] mismatchLabelKeys=6[s]
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution=1[.PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution=2[.WeightedPodAffinityTerm]
PodAttachOptions stdin=1b? stdout=2b? stderr=3b? tty=4b? container=5s?
PodCertificateProjection signerName=1s? keyType=2s? maxExpirationSeconds=3i credentialBundlePath=4s? keyPath=5s? certificateChainPath=6s? userAnnotations=7{s} user=8i
PodCondition type=1s observedGeneration=7i? status=2s lastProbeTime=3.meta.v1.Time lastTransitionTime=4.meta.v1.Time reason=5s? message=6s?
PodDNSConfig nameservers=1[s] searches=2[s] options=3[.PodDNSConfigOption]
PodDNSConfigOption name=1s? value=2s
PodExecOptions stdin=1b? stdout=2b? stderr=3b? tty=4b? container=5s? command=6[s]
PodExtendedResourceClaimStatus requestMappings=1[.ContainerExtendedResourceRequest] resourceClaimName=2s
PodIP ip=1s
PodLogOptions container=1s? follow=2b? previous=3b? sinceSeconds=4i sinceTime=5.meta.v1.Time timestamps=6b? tailLines=7i limitBytes=8i insecureSkipTLSVerifyBackend=9b? stream=10s
PodOS name=1s
PodPortForwardOptions ports=1[i]
PodProxyOptions path=1s?
PodReadinessGate conditionType=1s
PodResourceClaim name=1s resourceClaimName=3s resourceClaimTemplateName=4s
PodResourceClaimStatus name=1s resourceClaimName=2s
PodSchedulingGate name=1s
PodSchedulingGroup podGroupName=1s
PodSecurityContext seLinuxOptions=1.SELinuxOptions windowsOptions=8.WindowsSecurityContextOptions runAsUser=2i runAsGroup=6i runAsNonRoot=3b supplementalGroups=4[i] supplementalGroupsPolicy=12s fsGroup=5i sysctls=7[.Sysctl] fsGroupChangePolicy=9s seccompProfile=10.SeccompProfile appArmorProfile=11.AppArmorProfile seLinuxChangePolicy=13s
PodSignature podController=1.meta.v1.OwnerReference
PodSpec volumes=1[.Volume] initContainers=20[.Container] containers=2[.Container] ephemeralContainers=34[.EphemeralContainer] restartPolicy=3s? terminationGracePeriodSeconds=4i activeDeadlineSeconds=5i dnsPolicy=6s? nodeSelector=7{s} serviceAccountName=8s? serviceAccount=9s? automountServiceAccountToken=21b nodeName=10s? hostNetwork=11b? hostPID=12b? hostIPC=13b? shareProcessNamespace=27b securityContext=14.PodSecurityContext imagePullSecrets=15[.LocalObjectReference] hostname=16s? subdomain=17s? affinity=18.Affinity schedulerName=19s? tolerations=22[.Toleration] hostAliases=23[.HostAlias] priorityClassName=24s? priority=25i dnsConfig=26.PodDNSConfig readinessGates=28[.PodReadinessGate] runtimeClassName=29s enableServiceLinks=30b preemptionPolicy=31s overhead=32{.Quantity} topologySpreadConstraints=33[.TopologySpreadConstraint] setHostnameAsFQDN=35b os=36.PodOS hostUsers=37b schedulingGates=38[.PodSchedulingGate] resourceClaims=39[.PodResourceClaim] resources=40.ResourceRequirements hostnameOverride=41s schedulingGroup=43.PodSchedulingGroup evictionResponders=44[.EvictionResponder]
PodStatus observedGeneration=17i? phase=1s? conditions=2[.PodCondition] message=3s? reason=4s? nominatedNodeName=11s? hostIP=5s? hostIPs=16[.HostIP] podIP=6s? podIPs=12[.PodIP] startTime=7.meta.v1.Time initContainerStatuses=10[.ContainerStatus] containerStatuses=8[.ContainerStatus] qosClass=9s? ephemeralContainerStatuses=13[.ContainerStatus] resize=14s? resourceClaimStatuses=15[.PodResourceClaimStatus] extendedResourceClaimStatus=18.PodExtendedResourceClaimStatus allocatedResources=19{.Quantity} resources=20.ResourceRequirements nodeAllocatableResourceClaimStatuses=21[.NodeAllocatableResourceClaimStatus] volumeHealth=22[.PodVolumeHealth]
PodTemplate metadata=1.meta.v1.ObjectMeta template=2.PodTemplateSpec
PodTemplateSpec metadata=1.meta.v1.ObjectMeta spec=2.PodSpec
PodVolumeHealth name=1s healthConditions=2[.VolumeHealthCondition] lastTransitionTime=3.meta.v1.Time
PortStatus port=1i protocol=2s error=3s
PortworxVolumeSource volumeID=1s fsType=2s? readOnly=3b?
Preconditions uid=1s
PreferAvoidPodsEntry podSignature=1.PodSignature evictionTime=2.meta.v1.Time reason=3s? message=4s?
PreferredSchedulingTerm weight=1i preference=2.NodeSelectorTerm
Probe =1.ProbeHandler initialDelaySeconds=2i? timeoutSeconds=3i? periodSeconds=4i? successThreshold=5i? failureThreshold=6i? terminationGracePeriodSeconds=7i
ProbeHandler exec=1.ExecAction httpGet=2.HTTPGetAction tcpSocket=3.TCPSocketAction grpc=4.GRPCAction
ProjectedVolumeSource sources=1[.VolumeProjection] defaultMode=2i defaultUser=3i
QuobyteVolumeSource registry=1s volume=2s readOnly=3b? user=4s? group=5s? tenant=6s?
RBDPersistentVolumeSource monitors=1[s] image=2s fsType=3s? pool=4s? user=5s? keyring=6s? secretRef=7.SecretReference readOnly=8b?
RBDVolumeSource monitors=1[s] image=2s fsType=3s? pool=4s? user=5s? keyring=6s? secretRef=7.LocalObjectReference readOnly=8b?
RangeAllocation metadata=1.meta.v1.ObjectMeta range=2s data=3x
ReplicationController metadata=1.meta.v1.ObjectMeta spec=2.ReplicationControllerSpec status=3.ReplicationControllerStatus
ReplicationControllerCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s?
ReplicationControllerSpec replicas=1i minReadySeconds=4i? selector=2{s} template=3.PodTemplateSpec
ReplicationControllerStatus replicas=1i fullyLabeledReplicas=2i? readyReplicas=4i? availableReplicas=5i? observedGeneration=3i? conditions=6[.ReplicationControllerCondition]
ResourceClaim name=1s request=2s?
ResourceFieldSelector containerName=1s? resource=2s divisor=3.Quantity
ResourceHealth resourceID=1s health=2s? message=6s
ResourceQuota metadata=1.meta.v1.ObjectMeta spec=2.ResourceQuotaSpec status=3.ResourceQuotaStatus
ResourceQuotaSpec hard=1{.Quantity} scopes=2[s] scopeSelector=3.ScopeSelector
ResourceQuotaStatus hard=1{.Quantity} used=2{.Quantity}
ResourceRequirements limits=1{.Quantity} requests=2{.Quantity} claims=3[.ResourceClaim]
ResourceStatus name=1s resources=2[.ResourceHealth]
SELinuxOptions user=1s? role=2s? type=3s? level=4s?
ScaleIOPersistentVolumeSource gateway=1s system=2s secretRef=3.SecretReference sslEnabled=4b? protectionDomain=5s? storagePool=6s? storageMode=7s? volumeName=8s? fsType=9s? readOnly=10b?
ScaleIOVolumeSource gateway=1s system=2s secretRef=3.LocalObjectReference sslEnabled=4b? protectionDomain=5s? storagePool=6s? storageMode=7s? volumeName=8s? fsType=9s? readOnly=10b?
ScopeSelector matchExpressions=1[.ScopedResourceSelectorRequirement]
ScopedResourceSelectorRequirement scopeName=1s operator=2s values=3[s]
SeccompProfile type=1s localhostProfile=2s
Secret metadata=1.meta.v1.ObjectMeta immutable=5b data=2{x} stringData=4{s} type=3s?
SecretEnvSource =1.LocalObjectReference optional=2b
SecretKeySelector =1.LocalObjectReference key=2s optional=3b
SecretProjection =1.LocalObjectReference items=2[.KeyToPath] optional=4b
SecretReference name=1s? namespace=2s?
SecretVolumeSource secretName=1s? items=2[.KeyToPath] defaultMode=3i optional=4b defaultUser=5i
SecurityContext capabilities=1.Capabilities privileged=2b seLinuxOptions=3.SELinuxOptions windowsOptions=10.WindowsSecurityContextOptions runAsUser=4i runAsGroup=8i runAsNonRoot=5b readOnlyRootFilesystem=6b allowPrivilegeEscalation=7b procMount=9s seccompProfile=11.SeccompProfile appArmorProfile=12.AppArmorProfile
SerializedReference reference=1.ObjectReference
Service metadata=1.meta.v1.ObjectMeta spec=2.ServiceSpec status=3.ServiceStatus
ServiceAccount metadata=1.meta.v1.ObjectMeta secrets=2[.ObjectReference] imagePullSecrets=3[.LocalObjectReference] automountServiceAccountToken=4b
ServiceAccountTokenProjection audience=1s? expirationSeconds=2i path=3s user=4i
ServicePort name=1s? protocol=2s? appProtocol=6s port=3i targetPort=4.IntOrString nodePort=5i?
ServiceProxyOptions path=1s?
ServiceSpec ports=1[.ServicePort] selector=2{s} clusterIP=3s? clusterIPs=18[s] type=4s? externalIPs=5[s] sessionAffinity=7s? loadBalancerIP=8s? loadBalancerSourceRanges=9[s] externalName=10s? externalTrafficPolicy=11s? healthCheckNodePort=12i? publishNotReadyAddresses=13b? sessionAffinityConfig=14.SessionAffinityConfig ipFamilies=19[s] ipFamilyPolicy=17s allocateLoadBalancerNodePorts=20b loadBalancerClass=21s internalTrafficPolicy=22s trafficDistribution=23s
ServiceStatus loadBalancer=1.LoadBalancerStatus conditions=2[.meta.v1.Condition]
SessionAffinityConfig clientIP=1.ClientIPConfig
SleepAction seconds=1i
StorageOSPersistentVolumeSource volumeName=1s? volumeNamespace=2s? fsType=3s? readOnly=4b? secretRef=5.ObjectReference
StorageOSVolumeSource volumeName=1s? volumeNamespace=2s? fsType=3s? readOnly=4b? secretRef=5.LocalObjectReference
Sysctl name=1s value=2s
TCPSocketAction port=1.IntOrString host=2s?
Taint key=1s value=2s? effect=3s timeAdded=4.meta.v1.Time
Toleration key=1s? operator=2s? value=3s? effect=4s? tolerationSeconds=5i
TopologySelectorLabelRequirement key=1s values=2[s]
TopologySelectorTerm matchLabelExpressions=1[.TopologySelectorLabelRequirement]
TopologySpreadConstraint maxSkew=1i topologyKey=2s whenUnsatisfiable=3s labelSelector=4.meta.v1.LabelSelector minDomains=5i nodeAffinityPolicy=6s nodeTaintsPolicy=7s matchLabelKeys=8[s]
TypedLocalObjectReference apiGroup=1s kind=2s name=3s
TypedObjectReference apiGroup=1s kind=2s name=3s namespace=4s
Volume name=1s =2.VolumeSource
VolumeDevice name=1s devicePath=2s
VolumeHealthCondition status=1s reason=2s message=3s?
VolumeHealthStatus healthConditions=1[.VolumeHealthCondition] lastTransitionTime=2.meta.v1.Time
VolumeMount name=1s readOnly=2b? recursiveReadOnly=7s mountPath=3s subPath=4s? mountPropagation=5s subPathExpr=6s? bindMountOptions=8[s]
VolumeMountStatus name=1s mountPath=2s readOnly=3b? recursiveReadOnly=4s volumeStatus=5.VolumeStatus
VolumeNodeAffinity required=1.NodeSelector
VolumeProjection secret=1.SecretProjection downwardAPI=2.DownwardAPIProjection configMap=3.ConfigMapProjection serviceAccountToken=4.ServiceAccountTokenProjection clusterTrustBundle=5.ClusterTrustBundleProjection podCertificate=6.PodCertificateProjection
VolumeResourceRequirements limits=1{.Quantity} requests=2{.Quantity}
VolumeSource hostPath=1.HostPathVolumeSource emptyDir=2.EmptyDirVolumeSource gcePersistentDisk=3.GCEPersistentDiskVolumeSource awsElasticBlockStore=4.AWSElasticBlockStoreVolumeSource gitRepo=5.GitRepoVolumeSource secret=6.SecretVolumeSource nfs=7.NFSVolumeSource iscsi=8.ISCSIVolumeSource glusterfs=9.GlusterfsVolumeSource persistentVolumeClaim=10.PersistentVolumeClaimVolumeSource rbd=11.RBDVolumeSource flexVolume=12.FlexVolumeSource cinder=13.CinderVolumeSource cephfs=14.CephFSVolumeSource flocker=15.FlockerVolumeSource downwardAPI=16.DownwardAPIVolumeSource fc=17.FCVolumeSource azureFile=18.AzureFileVolumeSource configMap=19.ConfigMapVolumeSource vsphereVolume=20.VsphereVirtualDiskVolumeSource quobyte=21.QuobyteVolumeSource azureDisk=22.AzureDiskVolumeSource photonPersistentDisk=23.PhotonPersistentDiskVolumeSource projected=26.ProjectedVolumeSource portworxVolume=24.PortworxVolumeSource scaleIO=25.ScaleIOVolumeSource storageos=27.StorageOSVolumeSource csi=28.CSIVolumeSource ephemeral=29.EphemeralVolumeSource image=30.ImageVolumeSource
VolumeStatus image=1.ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath=1s fsType=2s? storagePolicyName=3s? storagePolicyID=4s?
WeightedPodAffinityTerm weight=1i podAffinityTerm=2.PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName=1s gmsaCredentialSpec=2s runAsUserName=3s hostProcess=4b
`;
