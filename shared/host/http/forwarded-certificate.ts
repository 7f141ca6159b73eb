import { X509Certificate } from "node:crypto";
import { HttpError } from "./answer.ts";

/** The header in which a gateway tells the certificate that its client proved. */
export const FORWARDED_CERTIFICATE = "x-forwarded-client-cert";
/** Characters of the header at most. */
const MAXIMUM_HEADER = 32 * 1_024;

const refused = (why: string, cause?: unknown): HttpError =>
  new HttpError("HTTP_UNAUTHORIZED", `${FORWARDED_CERTIFICATE} ${why}.`, { cause });

/**
 * The certificate that a gateway forwards, as Envoy writes it: elements with commas between, each with fields (`Cert=`, `Hash=`, `URI=`), of
 * which one in all is `Cert`: its PEM, encoded as in a URL. It proves nothing yet: who issued it is still to be seen. Throws 401.
 */
export function forwardedCertificate(request: Request): X509Certificate {
  const header = request.headers.get(FORWARDED_CERTIFICATE);
  if (header === null) throw refused("is missing: call through the gateway, with a certificate");
  if (header.length > MAXIMUM_HEADER) throw refused(`is longer than ${MAXIMUM_HEADER} characters`);
  const found = fieldsOf(header).filter(([name]) => name === "cert");
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw refused(`names ${found.length} certificates: let the gateway write it anew, with Cert=`);
  try {
    return new X509Certificate(decodeURIComponent(only[1]));
  } catch (thrown) {
    throw refused("holds no certificate: PEM is wanted, encoded as in a URL", thrown);
  }
}

/** The fields of all elements. A value in quotes may hold separators; a backslash takes the next character as it is. */
function fieldsOf(header: string): readonly (readonly [name: string, value: string])[] {
  const fields: [string, string][] = [];
  let [name, text, quoted] = ["", "", false];
  const end = (): void => {
    if (name !== "") fields.push([name.trim().toLowerCase(), text]);
    [name, text] = ["", ""];
  };
  for (let at = 0; at < header.length; at++) {
    const character = header[at] ?? "";
    if (quoted && character === "\\") text += header[++at] ?? "";
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "," || character === ";")) end();
    else if (!quoted && character === "=" && name === "") [name, text] = [text, ""];
    else text += character;
  }
  end();
  return fields;
}
