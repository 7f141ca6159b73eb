import type { TaskSpec } from "../../kinds/index.ts";
import { operatorVersionName } from "../package/index.ts";

/** The name of the OperatorVersion that a KudoOperator task asks for. */
export const childVersion = ({
  package: operator = "",
  appVersion = "",
  operatorVersion = "",
}: TaskSpec): string => operatorVersionName(operator, appVersion, operatorVersion);
