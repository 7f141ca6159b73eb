/** A statement of an IAM policy, as the deployment writes it. */
export interface PolicyStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What somebody asks for. */
export interface Asked {
  /** `sqs:SendMessage`. */
  readonly action: string;
  /** The logical id of the resource. */
  readonly resource: string;
  /** The partition keys that a request to the table is about. */
  readonly leadingKeys?: readonly string[];
}

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

/** `GetAtt` of an ARN, by either way of writing it. */
function isOf(resource: unknown, logicalId: string): boolean {
  const { "Fn::GetAtt": attribute } = resource as { readonly "Fn::GetAtt"?: string | readonly string[] };
  return attribute !== undefined && list(attribute).join(".") === `${logicalId}.Arn`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const matches = (text: string, pattern: string): boolean =>
  new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`).test(text);

function holds({ Condition }: PolicyStatement, { leadingKeys = [] }: Asked): boolean {
  for (const [operator, tests] of Object.entries(Condition ?? {}))
    for (const [key, wanted] of Object.entries(tests)) {
      if (operator !== "ForAllValues:StringLike" || key !== "dynamodb:LeadingKeys") return false;
      const patterns = list(wanted as string | readonly string[]);
      if (!leadingKeys.every((one) => patterns.some((pattern) => matches(one, pattern)))) return false;
    }
  return true;
}

/** Whether these statements allow it, as IAM would judge. */
export const allows = (statements: readonly PolicyStatement[], asked: Asked): boolean =>
  statements.some(
    (statement) =>
      statement.Effect === "Allow" &&
      list(statement.Action).includes(asked.action) &&
      list(statement.Resource).some((resource) => isOf(resource, asked.resource)) &&
      holds(statement, asked),
  );
