import type { Functions } from "./function.ts";
import { defaults } from "./functions/defaults.ts";
import { dicts } from "./functions/dicts.ts";
import { durations } from "./functions/durations.ts";
import { encoding } from "./functions/encoding.ts";
import { lists } from "./functions/lists.ts";
import { numbers } from "./functions/numbers.ts";
import { osPaths } from "./functions/paths.ts";
import { regex } from "./functions/regex.ts";
import { semver } from "./functions/semver.ts";
import { strings } from "./functions/strings.ts";
import { types } from "./functions/types.ts";
import { urls } from "./functions/urls.ts";

export { paths } from "./functions/paths.ts";

/** The functions of sprig 3 that always give the same answer, but for those on paths with slashes (`paths`). */
export const sprig: Functions = {
  ...strings,
  ...lists,
  ...dicts,
  ...numbers,
  ...defaults,
  ...types,
  ...encoding,
  ...regex,
  ...semver,
  ...urls,
  ...osPaths,
  ...durations,
};

const refusing = (refused: string, names: string): Functions =>
  Object.fromEntries(names.split(" ").map((name) => [name, { refused }]));

/** Sprig's other functions, refused: what is rendered again and again must say the same each time. */
export const unstable: Functions = {
  ...refusing(
    "it reads the clock or the time zone, so what is rendered would never settle",
    `now ago date dateInZone date_in_zone dateModify date_modify mustDateModify must_date_modify htmlDate htmlDateInZone toDate ${"mustToDate unixEpoch"}`,
  ),
  ...refusing(
    "its answer is another one each time, so what is rendered would never settle; take a parameter or a Secret",
    `randAlpha randAlphaNum randAscii randNumeric randBytes randInt shuffle uuidv4 bcrypt htpasswd derivePassword encryptAES decryptAES ${"genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey buildCustomCert"}`,
  ),
  ...refusing("it asks the network", "getHostByName"),
};
