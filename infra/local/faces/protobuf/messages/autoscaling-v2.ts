// Written by infra/protobuf/generate.ts from api@v0.37.0/autoscaling/v2 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of autoscaling.v2: see `../table.ts` for how a line is read. */
export const autoscalingV2 = `
ContainerResourceMetricSource name=1s target=2.MetricTarget container=3s
ContainerResourceMetricStatus name=1s current=2.MetricValueStatus container=3s
CrossVersionObjectReference kind=1s name=2s apiVersion=3s?
ExternalMetricSource metric=1.MetricIdentifier target=2.MetricTarget
ExternalMetricStatus metric=1.MetricIdentifier current=2.MetricValueStatus
HPAScalingPolicy type=1s value=2i periodSeconds=3i
HPAScalingRules stabilizationWindowSeconds=3i selectPolicy=1s policies=2[.HPAScalingPolicy] tolerance=4.Quantity
HorizontalPodAutoscaler metadata=1.meta.v1.ObjectMeta spec=2.HorizontalPodAutoscalerSpec status=3.HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp=1.HPAScalingRules scaleDown=2.HPAScalingRules
HorizontalPodAutoscalerCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s? observedGeneration=6i
HorizontalPodAutoscalerSpec scaleTargetRef=1.CrossVersionObjectReference minReplicas=2i maxReplicas=3i metrics=4[.MetricSpec] behavior=5.HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration=1i lastScaleTime=2.meta.v1.Time currentReplicas=3i? desiredReplicas=4i currentMetrics=5[.MetricStatus] conditions=6[.HorizontalPodAutoscalerCondition]
MetricIdentifier name=1s selector=2.meta.v1.LabelSelector
MetricSpec type=1s object=2.ObjectMetricSource pods=3.PodsMetricSource resource=4.ResourceMetricSource containerResource=7.ContainerResourceMetricSource external=5.ExternalMetricSource
MetricStatus type=1s object=2.ObjectMetricStatus pods=3.PodsMetricStatus resource=4.ResourceMetricStatus containerResource=7.ContainerResourceMetricStatus external=5.ExternalMetricStatus
MetricTarget type=1s value=2.Quantity averageValue=3.Quantity averageUtilization=4i
MetricValueStatus value=1.Quantity averageValue=2.Quantity averageUtilization=3i
ObjectMetricSource describedObject=1.CrossVersionObjectReference target=2.MetricTarget metric=3.MetricIdentifier
ObjectMetricStatus metric=1.MetricIdentifier current=2.MetricValueStatus describedObject=3.CrossVersionObjectReference
PodsMetricSource metric=1.MetricIdentifier target=2.MetricTarget
PodsMetricStatus metric=1.MetricIdentifier current=2.MetricValueStatus
ResourceMetricSource name=1s target=2.MetricTarget
ResourceMetricStatus name=1s current=2.MetricValueStatus
`;
