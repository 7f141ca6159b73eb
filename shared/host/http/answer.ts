import { ReveilleError } from "../../errors.ts";

/** Answers a request. Never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** The HTTP status of each refusal. */
const statuses = {
  HTTP_MALFORMED: 400,
  HTTP_UNAUTHORIZED: 401,
  HTTP_FORBIDDEN: 403,
  HTTP_NOT_FOUND: 404,
  HTTP_METHOD: 405,
  HTTP_TOO_OLD: 409,
  HTTP_TOO_LARGE: 413,
  HTTP_MEDIA_TYPE: 415,
  HTTP_UNKNOWN_TYPE: 422,
  HTTP_BUSY: 503,
  HTTP_UNAVAILABLE: 503,
  SECRET_UNREADABLE: 503,
} as const;
export type HttpErrorCode = keyof typeof statuses;

/** A request that is not done as asked. The message is one sentence for whoever sent it; it never holds a secret. */
export class HttpError extends ReveilleError {
  declare readonly code: HttpErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each fault with its path. */
  readonly issues: readonly string[] | undefined;
  constructor(
    code: HttpErrorCode,
    message: string,
    more: {
      readonly cause?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly issues?: readonly string[];
      /** The HTTP status, where whoever asked expects another than that of the code. */
      readonly status?: number;
    } = {},
  ) {
    super(code, message, { cause: more.cause });
    this.status = more.status ?? statuses[code];
    this.headers = more.headers ?? {};
    this.issues = more.issues;
  }
}

/** A JSON answer; nobody on the way may keep it. */
export const answer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });

export const refusal = ({ status, code, message, issues, headers }: HttpError): Response =>
  answer(status, { code, message, ...(issues !== undefined && { issues }) }, headers);
