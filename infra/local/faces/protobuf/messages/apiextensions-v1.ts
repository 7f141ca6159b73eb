// Written by infra/protobuf/generate.ts from apiextensions-apiserver@v0.37.0/pkg/apis/apiextensions/v1 (The Kubernetes Authors, Apache-2.0): not by hand.
/** The messages of apiextensions.v1: see `../table.ts` for how a line is read. */
export const apiextensionsV1 = `
ConversionRequest uid=1s desiredAPIVersion=2s objects=3[.RawExtension]
ConversionResponse uid=1s convertedObjects=2[.RawExtension] result=3.meta.v1.Status
ConversionReview request=1.ConversionRequest response=2.ConversionResponse
CustomResourceColumnDefinition name=1s type=2s format=3s? description=4s? priority=5i? jsonPath=6s
CustomResourceConversion strategy=1s webhook=2.WebhookConversion
CustomResourceDefinition metadata=1.meta.v1.ObjectMeta spec=2.CustomResourceDefinitionSpec status=3.CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type=1s status=2s lastTransitionTime=3.meta.v1.Time reason=4s? message=5s? observedGeneration=6i?
CustomResourceDefinitionNames plural=1s singular=2s? shortNames=3[s] kind=4s listKind=5s? categories=6[s]
CustomResourceDefinitionSpec group=1s names=3.CustomResourceDefinitionNames scope=4s versions=7[.CustomResourceDefinitionVersion] conversion=9.CustomResourceConversion preserveUnknownFields=10b?
CustomResourceDefinitionStatus conditions=1[.CustomResourceDefinitionCondition] acceptedNames=2.CustomResourceDefinitionNames storedVersions=3[s] observedGeneration=4i?
CustomResourceDefinitionVersion name=1s served=2b storage=3b deprecated=7b? deprecationWarning=8s schema=4.CustomResourceValidation subresources=5.CustomResourceSubresources additionalPrinterColumns=6[.CustomResourceColumnDefinition] selectableFields=9[.SelectableField]
CustomResourceSubresourceScale specReplicasPath=1s statusReplicasPath=2s labelSelectorPath=3s
CustomResourceSubresourceStatus
CustomResourceSubresources status=1.CustomResourceSubresourceStatus scale=2.CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema=1.JSONSchemaProps
ExternalDocumentation description=1s? url=2s?
JSON -=1x
JSONSchemaProps id=1s? $schema=2s? $ref=3s description=4s? type=5s? format=6s? title=7s? default=8.JSON maximum=9d exclusiveMaximum=10b? minimum=11d exclusiveMinimum=12b? maxLength=13i minLength=14i pattern=15s? maxItems=16i minItems=17i uniqueItems=18b? multipleOf=19d enum=20[.JSON] maxProperties=21i minProperties=22i required=23[s] items=24.JSONSchemaPropsOrArray allOf=25[.JSONSchemaProps] oneOf=26[.JSONSchemaProps] anyOf=27[.JSONSchemaProps] not=28.JSONSchemaProps properties=29{.JSONSchemaProps} additionalProperties=30.JSONSchemaPropsOrBool patternProperties=31{.JSONSchemaProps} dependencies=32{.JSONSchemaPropsOrStringArray} additionalItems=33.JSONSchemaPropsOrBool definitions=34{.JSONSchemaProps} externalDocs=35.ExternalDocumentation example=36.JSON nullable=37b? x-kubernetes-preserve-unknown-fields=38b x-kubernetes-embedded-resource=39b? x-kubernetes-int-or-string=40b? x-kubernetes-list-map-keys=41[s] x-kubernetes-list-type=42s x-kubernetes-map-type=43s x-kubernetes-validations=44[.ValidationRule]
JSONSchemaPropsOrArray schema=1.JSONSchemaProps jSONSchemas=2[.JSONSchemaProps]
JSONSchemaPropsOrBool allows=1b schema=2.JSONSchemaProps
JSONSchemaPropsOrStringArray schema=1.JSONSchemaProps property=2[s]
SelectableField jsonPath=1s
ServiceReference namespace=1s name=2s path=3s port=4i
ValidationRule rule=1s message=2s? messageExpression=3s? reason=4s fieldPath=5s? optionalOldSelf=6b
WebhookClientConfig url=3s service=1.ServiceReference caBundle=2x?
WebhookConversion clientConfig=2.WebhookClientConfig conversionReviewVersions=3[s]
`;
