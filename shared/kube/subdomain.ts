const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST = 253;

/** True for what the API server takes for the name of most objects (a subdomain of RFC 1123, whose parts may be as long as it is). */
export const isSubdomain = (text: string): boolean => text.length <= LONGEST && NAME.test(text);
