// Written by infra/protobuf/generate.ts from api@v0.37.0/authentication/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of authentication.v1: see `../table.ts` for how a line is read. */
export const authenticationV1 = `
AttestationValue items=1[s]
BoundObjectReference kind=1s? apiVersion=2s? name=3s? uid=4s?
ExtraValue items=1[s]
SelfSubjectReview metadata=1.meta.v1.ObjectMeta status=2.SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo=1.UserInfo
TokenRequest metadata=1.meta.v1.ObjectMeta spec=2.TokenRequestSpec status=3.TokenRequestStatus
TokenRequestSpec audiences=1[s] expirationSeconds=4i boundObjectRef=3.BoundObjectReference attestations=5{.AttestationValue}
TokenRequestStatus token=1s expirationTimestamp=2.meta.v1.Time
TokenReview metadata=1.meta.v1.ObjectMeta spec=2.TokenReviewSpec status=3.TokenReviewStatus
TokenReviewSpec token=1s? audiences=2[s]
TokenReviewStatus authenticated=1b? user=2.UserInfo audiences=4[s] error=3s?
UserInfo username=1s? uid=2s? groups=3[s] extra=4{.ExtraValue}
`;
