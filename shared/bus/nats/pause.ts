import { systemClock } from "../../clock/clock.ts";

/**
 * Waits on the machine's own clock. What concerns the server (answers, leases, tries) goes by real time, whatever clock the
 * items live by.
 */
export const pause = (milliseconds: number): Promise<void> => systemClock.sleep(milliseconds);
