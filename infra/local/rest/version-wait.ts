import { fault } from "../../../shared/kube/validation/fault.ts";
import { ApiError, badRequest } from "../api-error.ts";
import type { Kernel } from "../kernel.ts";

/** The time that a read waits for a version that has not come yet. */
const patience = 3000;

/** The number in a `resourceVersion` parameter; undefined where there is none. Throws a 400. */
export function versionParameter(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: ${fault.invalid("resourceVersion", text, `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`).field}: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

const tooLarge = (version: number, current: number): ApiError =>
  new ApiError(504, "Timeout", `Timeout: Too large resource version: ${version}, current: ${current}`, {
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });

/** Resolves once the store has reached a version; throws the 504 after three seconds. */
export async function reached(kernel: Kernel, version: number | undefined): Promise<void> {
  if (version === undefined || version <= kernel.store.version) return;
  await new Promise<void>((resolve, reject) => {
    const done = (act: () => void): void => {
      cancel();
      unsubscribe();
      act();
    };
    const cancel = kernel.clock.after(patience, () =>
      done(() => reject(tooLarge(version, kernel.store.version))),
    );
    const unsubscribe = kernel.store.subscribe((event) => {
      if (event.resourceVersion >= version) done(resolve);
    });
  });
}
