/** The version of stored messages; a process gives back what a newer one wrote. */
export const VERSION = 1;
