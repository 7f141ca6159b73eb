// Written by infra/protobuf/generate.ts from api@v0.37.0/autoscaling/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of autoscaling.v1: see `../table.ts` for how a line is read. */
export const autoscalingV1 = `
ContainerResourceMetricSource name=1s targetAverageUtilization=2i targetAverageValue=3.Quantity container=5s
ContainerResourceMetricStatus name=1s currentAverageUtilization=2i currentAverageValue=3.Quantity container=4s
CrossVersionObjectReference kind=1s name=2s apiVersion=3s?
ExternalMetricSource metricName=1s metricSelector=2.meta.v1.LabelSelector targetValue=3.Quantity targetAverageValue=4.Quantity
ExternalMetricStatus metricName=1s metricSelector=2.meta.v1.LabelSelector currentValue=3.Quantity currentAverageValue=4.Quantity
HorizontalPodAutoscaler metadata=1.meta.v1.ObjectMeta spec=2.HorizontalPodAutoscalerSpec status=3.HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s? observedGeneration=6i
HorizontalPodAutoscalerSpec scaleTargetRef=1.CrossVersionObjectReference minReplicas=2i maxReplicas=3i targetCPUUtilizationPercentage=4i
HorizontalPodAutoscalerStatus observedGeneration=1i lastScaleTime=2.meta.v1.Time currentReplicas=3i desiredReplicas=4i currentCPUUtilizationPercentage=5i
MetricSpec type=1s object=2.ObjectMetricSource pods=3.PodsMetricSource resource=4.ResourceMetricSource containerResource=7.ContainerResourceMetricSource external=5.ExternalMetricSource
MetricStatus type=1s object=2.ObjectMetricStatus pods=3.PodsMetricStatus resource=4.ResourceMetricStatus containerResource=7.ContainerResourceMetricStatus external=5.ExternalMetricStatus
ObjectMetricSource target=1.CrossVersionObjectReference metricName=2s targetValue=3.Quantity selector=4.meta.v1.LabelSelector averageValue=5.Quantity
ObjectMetricStatus target=1.CrossVersionObjectReference metricName=2s currentValue=3.Quantity selector=4.meta.v1.LabelSelector averageValue=5.Quantity
PodsMetricSource metricName=1s targetAverageValue=2.Quantity selector=3.meta.v1.LabelSelector
PodsMetricStatus metricName=1s currentAverageValue=2.Quantity selector=3.meta.v1.LabelSelector
ResourceMetricSource name=1s targetAverageUtilization=2i targetAverageValue=3.Quantity
ResourceMetricStatus name=1s currentAverageUtilization=2i currentAverageValue=3.Quantity
Scale metadata=1.meta.v1.ObjectMeta spec=2.ScaleSpec status=3.ScaleStatus
ScaleSpec replicas=1i?
ScaleStatus replicas=1i selector=2s?
`;
