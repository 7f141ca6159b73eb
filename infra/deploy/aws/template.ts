/** A resource of CloudFormation. */
export interface Resource {
  readonly Type: string;
  readonly DependsOn?: readonly string[];
  /** The resource is made only where this condition of the template holds. */
  readonly Condition?: string;
  readonly DeletionPolicy?: "Retain";
  readonly UpdateReplacePolicy?: "Retain";
  readonly Properties: Readonly<Record<string, unknown>>;
}
export type Resources = Readonly<Record<string, Resource>>;

export const arnOf = (id: string): object => ({ "Fn::GetAtt": [id, "Arn"] });
export const ref = (id: string): object => ({ Ref: id });
/** Text with CloudFormation's own variables in it, `${AWS::Region}`. */
export const sub = (text: string): object => ({ "Fn::Sub": text });

/** A statement of a policy. */
export interface Statement {
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: readonly unknown[] | object;
  readonly Condition?: object;
}
export const allow = (Action: readonly string[], Resource: readonly unknown[] | object): Statement => ({
  Effect: "Allow",
  Action,
  Resource,
});

export const policy = (statements: readonly Statement[]): object => ({
  Version: "2012-10-17",
  Statement: statements,
});

/** The trust policy of a role: the service that may assume it. */
export const trust = (service: string, more: object = {}): object => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: ["sts:AssumeRole"], ...more }],
});

/** A variable of osls: `env:NAME`, `param:NAME`. */
export const variable = (name: string): string => `\${${name}}`;
