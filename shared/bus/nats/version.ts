/** Of what is stored; a process gives back what a newer one wrote. */
export const VERSION = 1;
