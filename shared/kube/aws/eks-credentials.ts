import type { Clock } from "../../clock/clock.ts";
import type { Credentials } from "../http/connection.ts";
import { renewable } from "../kubeconfig/renewable.ts";
import { type EksTokenOptions, eksToken } from "./eks-token.ts";

/** The time before its end at which a token is replaced: the clocks of AWS and Lambda differ, and a request takes its time. */
const MARGIN_MILLISECONDS = 60_000;

/** The credentials of an AWS identity at an EKS cluster, made anew every 14 minutes, and at once where they are refused. */
export const eksCredentials = (options: EksTokenOptions, clock: Clock): Credentials =>
  renewable(async () => {
    const { token, expires } = await eksToken(options, clock.now());
    return {
      credential: { authorization: `Bearer ${token}` },
      expires: expires - MARGIN_MILLISECONDS,
    };
  }, clock);
