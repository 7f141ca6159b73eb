import { messageOf } from "../../errors.ts";
import { BusError } from "../errors.ts";

/** The health of AWS (B10): does it answer, and what do its refusals mean? */
export class Health {
  #ready = true;
  #closed = false;

  get ready(): boolean {
    return this.#ready && !this.#closed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** Makes a call to AWS. Throws a `BusError`. */
  async call<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closed();
    try {
      const answer = await call();
      this.#ready = true;
      return answer;
    } catch (thrown) {
      if (this.#closed) throw closed();
      // Whoever takes a request back says nothing about AWS.
      if (nameOf(thrown) === "AbortError") throw thrown;
      this.#ready = false;
      throw errorOf(what, thrown);
    }
  }
}

const closed = (): BusError =>
  new BusError("BUS_CLOSED", "The bus was closed; open it again before you use it.");

const statusOf = (thrown: unknown): number | undefined => {
  if (typeof thrown !== "object" || thrown === null || !("$metadata" in thrown)) return undefined;
  const metadata = thrown.$metadata as { readonly httpStatusCode?: number };
  return metadata.httpStatusCode;
};
const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : "");

/** Refusals that nobody but the installation can mend. */
const MISCONFIGURED =
  /^(AccessDenied|CredentialsProviderError|ExpiredToken|InvalidAddress|InvalidClientTokenId|NonExistentQueue|QueueDoesNotExist|ResourceNotFound|SignatureDoesNotMatch|UnrecognizedClient|ValidationException)|NonExistentQueue$/;

function errorOf(what: string, thrown: unknown): BusError {
  if (thrown instanceof BusError) return thrown;
  const name = nameOf(thrown);
  if (MISCONFIGURED.test(name) || /region is missing/i.test(messageOf(thrown)))
    return new BusError(
      "BUS_MISCONFIGURED",
      `AWS refuses to ${what} (${name}: ${messageOf(thrown)}): check the queue's address, the table's name, region and credentials, and the role's rights.`,
      { cause: thrown },
    );
  const status = statusOf(thrown);
  return new BusError(
    "BUS_UNREACHABLE",
    `AWS did not ${what} (${status === undefined ? "no answer" : `answer ${status}`}, ${name}: ${messageOf(thrown)}); it is tried again.`,
    { cause: thrown },
  );
}
