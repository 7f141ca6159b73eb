import { TerminalError } from "../../../../shared/function/terminal-error.ts";

/** One thing that is wrong in a payload. */
export interface PayloadIssue {
  /** `release-manifests/0000_10_a_b.yaml`. */
  readonly file: string;
  /** Counted from 1; absent where the whole file is meant. */
  readonly document?: number;
  readonly message: string;
}

const SHOWN = 10;

const sentence = ({ file, document, message }: PayloadIssue): string =>
  `${file}${document === undefined ? "" : `, document ${document}`}: ${message}`;

/** All of them, or the first ones and how many more: a status has little room. */
function issueText(issues: readonly PayloadIssue[]): string {
  const [only, second] = issues;
  if (only !== undefined && second === undefined) return sentence(only);
  const rest = issues.length - SHOWN;
  return `[${issues.slice(0, SHOWN).map(sentence).join(", ")}${rest > 0 ? `, and ${rest} more` : ""}]`;
}

/** The contents of a payload are invalid: nothing of it is applied until its image is built again. */
export class PayloadError extends TerminalError {
  /** The reason that conditions show. */
  readonly reason = "UpdatePayloadIntegrity";
  readonly issues: readonly PayloadIssue[];
  constructor(image: string, issues: readonly PayloadIssue[]) {
    super(`Error loading manifests from ${image}: ${issueText(issues)}`, { code: "PAYLOAD_INVALID" });
    this.issues = issues;
  }
}
