import { PermissionsBoundary, whereGiven } from "./choices.ts";
import { PREFIX, roleId } from "./names.ts";
import { KEY_POLICY, WATCHER_POLICY } from "./roles.ts";
import { allow, arnOf, policy, type Resources, ref, sub, variable } from "./template.ts";
import type { Unit } from "./units.ts";

/** The Lambdas' way to sign in to the cluster. */
export interface Access {
  /** The environment of each Lambda. */
  readonly environment: Readonly<Record<string, object>>;
  readonly Resources: Resources;
  readonly Outputs?: object;
}

/** The timers' Lambda knows no cluster. */
const asking = (units: readonly Unit[]): readonly Unit[] => units.filter(({ sort }) => sort !== "timers");

const environmentOf = (
  units: readonly Unit[],
  credentials: (name: string) => object,
): Access["environment"] =>
  Object.fromEntries(
    units.map(({ name, sort }) => [
      name,
      sort === "timers"
        ? {}
        : {
            REVEILLE_CLUSTER_AWS_SERVER: variable("env:REVEILLE_CLUSTER_AWS_SERVER"),
            REVEILLE_CLUSTER_AWS_CERTIFICATE_AUTHORITY: variable(
              "env:REVEILLE_CLUSTER_AWS_CERTIFICATE_AUTHORITY",
            ),
            ...credentials(name),
          },
    ]),
  );

const eksCluster = variable("env:REVEILLE_CLUSTER_AWS_EKS_CLUSTER");
/** The group under which a Lambda is known in the cluster: cluster-rights.yaml binds it. */
const groupOf = (name: string): string => `reveille-${name}`;

/** A cluster in EKS: each role is let in as a group of its own, and the watcher gets its role from Pod Identity. */
export const eksAccess = (units: readonly Unit[]): Access => ({
  environment: environmentOf(units, () => ({ REVEILLE_CLUSTER_AWS_EKS_CLUSTER: eksCluster })),
  Resources: {
    ...Object.fromEntries(
      asking(units).map(({ name }) => [
        roleId(name).replace(/Role$/, "Access"),
        {
          Type: "AWS::EKS::AccessEntry",
          Properties: {
            ClusterName: eksCluster,
            PrincipalArn: arnOf(roleId(name)),
            Type: "STANDARD",
            KubernetesGroups: [groupOf(name)],
          },
        },
      ]),
    ),
    WatcherRole: {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { Service: "pods.eks.amazonaws.com" },
              Action: ["sts:AssumeRole", "sts:TagSession"],
            },
          ],
        },
        PermissionsBoundary,
        ManagedPolicyArns: [ref(WATCHER_POLICY), whereGiven("kmsKey", ref(KEY_POLICY))],
      },
    },
    WatcherAssociation: {
      Type: "AWS::EKS::PodIdentityAssociation",
      Properties: {
        ClusterName: eksCluster,
        Namespace: variable("param:watcherNamespace"),
        ServiceAccount: variable("param:watcherServiceAccount"),
        RoleArn: arnOf("WatcherRole"),
      },
    },
  },
});

/** The stores of tokens, by the choice of `access`. */
const STORES = {
  token: {
    action: "ssm:GetParameter",
    place: (name: string) =>
      `ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/reveille/\${sls:stage}/token/${name}`,
    ending: "",
  },
  secret: {
    action: "secretsmanager:GetSecretValue",
    // Not with the function's name at the end: that might end in a hyphen and six letters, and be taken for a whole ARN.
    place: (name: string) =>
      `secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:reveille/\${sls:stage}/${name}/token`,
    // Secrets Manager ends each ARN with six letters of its own.
    ending: "-??????",
  },
} as const;

/** Any cluster: each Lambda reads the token of its own ServiceAccount from a place of its own, and no other one. */
export function tokenAccess(units: readonly Unit[], store: keyof typeof STORES): Access {
  const { action, place, ending } = STORES[store];
  const arn = (name: string, end: string): object => sub(`arn:\${AWS::Partition}:${place(name)}${end}`);
  return {
    environment: environmentOf(units, (name) => ({ REVEILLE_CLUSTER_AWS_TOKEN_ARN: arn(name, "") })),
    Resources: Object.fromEntries(
      asking(units).map(({ name }) => [
        roleId(name).replace(/Role$/, "Access"),
        {
          Type: "AWS::IAM::Policy",
          Properties: {
            PolicyName: `${PREFIX}${name}-token`,
            Roles: [ref(roleId(name))],
            PolicyDocument: policy([allow([action], [arn(name, ending)])]),
          },
        },
      ]),
    ),
  };
}
