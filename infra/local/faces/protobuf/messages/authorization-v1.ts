// Written by infra/protobuf/generate.ts from api@v0.37.0/authorization/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of authorization.v1: see `../table.ts` for how a line is read. */
export const authorizationV1 = `
ExtraValue items=1[s]
FieldSelectorAttributes rawSelector=1s? requirements=2[.meta.v1.FieldSelectorRequirement]
LabelSelectorAttributes rawSelector=1s? requirements=2[.meta.v1.LabelSelectorRequirement]
LocalSubjectAccessReview metadata=1.meta.v1.ObjectMeta spec=2.SubjectAccessReviewSpec status=3.SubjectAccessReviewStatus
NonResourceAttributes path=1s? verb=2s?
NonResourceRule verbs=1[s] nonResourceURLs=2[s]
ResourceAttributes namespace=1s? verb=2s? group=3s? version=4s? resource=5s? subresource=6s? name=7s? fieldSelector=8.FieldSelectorAttributes labelSelector=9.LabelSelectorAttributes
ResourceRule verbs=1[s] apiGroups=2[s] resources=3[s] resourceNames=4[s]
SelfSubjectAccessReview metadata=1.meta.v1.ObjectMeta spec=2.SelfSubjectAccessReviewSpec status=3.SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes=1.ResourceAttributes nonResourceAttributes=2.NonResourceAttributes
SelfSubjectRulesReview metadata=1.meta.v1.ObjectMeta spec=2.SelfSubjectRulesReviewSpec status=3.SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace=1s?
SubjectAccessReview metadata=1.meta.v1.ObjectMeta spec=2.SubjectAccessReviewSpec status=3.SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes=1.ResourceAttributes nonResourceAttributes=2.NonResourceAttributes user=3s? groups=4[s] extra=5{.ExtraValue} uid=6s?
SubjectAccessReviewStatus allowed=1b denied=4b? reason=2s? evaluationError=3s?
SubjectRulesReviewStatus resourceRules=1[.ResourceRule] nonResourceRules=2[.NonResourceRule] incomplete=3b evaluationError=4s?
`;
