import { isIPv4, isIPv6 } from "node:net";
import { durationSeconds } from "./duration.ts";

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const hostname =
  /^(?=.{1,253}$)[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*$/;
const checks: Readonly<Record<string, (value: string) => boolean>> = {
  "date-time": (value) => dateTime.test(value) && !Number.isNaN(Date.parse(value)),
  datetime: (value) => dateTime.test(value) && !Number.isNaN(Date.parse(value)),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  ipv4: isIPv4,
  ipv6: isIPv6,
  ip: (value) => isIPv4(value) || isIPv6(value),
  cidr: (value) => {
    const [address = "", bits = "", ...rest] = value.split("/");
    return (
      rest.length === 0 &&
      /^\d{1,3}$/.test(bits) &&
      ((isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128))
    );
  },
  mac: (value) => /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/.test(value),
  uri: (value) => value.startsWith("/") || URL.canParse(value),
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
  hostname: (value) => hostname.test(value),
  uuid: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  byte: (value) => base64.test(value),
  duration: (value) => durationSeconds(value) !== undefined,
};

/** True where a text has a format. Formats that the server does not know hold for everything. */
export const hasFormat = (format: string, value: string): boolean => checks[format]?.(value) ?? true;
