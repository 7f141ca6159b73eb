/** The values that a label may have, the empty one apart. */
export const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** True for what a label may say. Names of objects may be longer, and a selector by such a one is refused. */
export const isLabelValue = (text: string): boolean => LABEL_VALUE.test(text);
