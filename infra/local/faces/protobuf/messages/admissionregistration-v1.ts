// Written by infra/protobuf/generate.ts from api@v0.37.0/admissionregistration/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of admissionregistration.v1: see `../table.ts` for how a line is read. */
export const admissionregistrationV1 = `
ApplyConfiguration expression=1s?
AuditAnnotation key=1s valueExpression=2s
ExpressionWarning fieldRef=2s warning=3s
JSONPatch expression=1s?
MatchCondition name=1s expression=2s
MatchResources namespaceSelector=1.meta.v1.LabelSelector objectSelector=2.meta.v1.LabelSelector resourceRules=3[.NamedRuleWithOperations] excludeResourceRules=4[.NamedRuleWithOperations] matchPolicy=7s
MutatingAdmissionPolicy metadata=1.meta.v1.ObjectMeta spec=2.MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata=1.meta.v1.ObjectMeta spec=2.MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingSpec policyName=1s? paramRef=2.ParamRef matchResources=3.MatchResources
MutatingAdmissionPolicySpec paramKind=1.ParamKind matchConstraints=2.MatchResources variables=3[.Variable] mutations=4[.Mutation] failurePolicy=5s matchConditions=6[.MatchCondition] reinvocationPolicy=7s?
MutatingWebhook name=1s clientConfig=2.WebhookClientConfig rules=3[.RuleWithOperations] failurePolicy=4s matchPolicy=9s namespaceSelector=5.meta.v1.LabelSelector objectSelector=11.meta.v1.LabelSelector sideEffects=6s timeoutSeconds=7i admissionReviewVersions=8[s] reinvocationPolicy=10s matchConditions=12[.MatchCondition]
MutatingWebhookConfiguration metadata=1.meta.v1.ObjectMeta webhooks=2[.MutatingWebhook]
Mutation patchType=2s applyConfiguration=3.ApplyConfiguration jsonPatch=4.JSONPatch
NamedRuleWithOperations resourceNames=1[s] =2.RuleWithOperations
ParamKind apiVersion=1s? kind=2s?
ParamRef name=1s? namespace=2s? selector=3.meta.v1.LabelSelector parameterNotFoundAction=4s
Rule apiGroups=1[s] apiVersions=2[s] resources=3[s] scope=4s
RuleWithOperations operations=1[s] =2.Rule
ServiceReference namespace=1s name=2s path=3s port=4i
TypeChecking expressionWarnings=1[.ExpressionWarning]
ValidatingAdmissionPolicy metadata=1.meta.v1.ObjectMeta spec=2.ValidatingAdmissionPolicySpec status=3.ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata=1.meta.v1.ObjectMeta spec=2.ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec policyName=1s? paramRef=2.ParamRef matchResources=3.MatchResources validationActions=4[s]
ValidatingAdmissionPolicySpec paramKind=1.ParamKind matchConstraints=2.MatchResources validations=3[.Validation] failurePolicy=4s auditAnnotations=5[.AuditAnnotation] matchConditions=6[.MatchCondition] variables=7[.Variable]
ValidatingAdmissionPolicyStatus observedGeneration=1i? typeChecking=2.TypeChecking conditions=3[.meta.v1.Condition]
ValidatingWebhook name=1s clientConfig=2.WebhookClientConfig rules=3[.RuleWithOperations] failurePolicy=4s matchPolicy=9s namespaceSelector=5.meta.v1.LabelSelector objectSelector=10.meta.v1.LabelSelector sideEffects=6s timeoutSeconds=7i admissionReviewVersions=8[s] matchConditions=11[.MatchCondition]
ValidatingWebhookConfiguration metadata=1.meta.v1.ObjectMeta webhooks=2[.ValidatingWebhook]
Validation expression=1s message=2s? reason=3s messageExpression=4s?
Variable name=1s expression=2s
WebhookClientConfig url=3s service=1.ServiceReference caBundle=2x?
`;
