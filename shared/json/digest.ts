import { hash } from "node:crypto";

/** The length of a digest's text: 132 bits. */
export const DIGEST_CHARACTERS = 22;

/** A short name for a text: 132 bits of its SHA-256. */
export const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
