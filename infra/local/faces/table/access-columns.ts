import type { KubeObject } from "../../../../shared/kube/object.ts";
import { age, countOf, listOf, textOf } from "./cells.ts";
import { column, type TableColumn } from "./columns.ts";

const subjects = (name: string, kind: string): TableColumn =>
  column(
    name,
    (object: KubeObject) =>
      listOf(object, "subjects")
        .filter((one) => one.kind === kind)
        .map((one) =>
          kind === "ServiceAccount"
            ? `${textOf(one, "namespace")}/${textOf(one, "name")}`
            : textOf(one, "name"),
        )
        .join(", "),
    { wide: true },
  );

const bindingColumns: readonly TableColumn[] = [
  column("Role", (object) => `${textOf(object, "roleRef", "kind")}/${textOf(object, "roleRef", "name")}`),
  age,
  subjects("Users", "User"),
  subjects("Groups", "Group"),
  subjects("ServiceAccounts", "ServiceAccount"),
];

/** Rights, and what holds configuration. */
export const accessColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  "rbac.authorization.k8s.io/RoleBinding": bindingColumns,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingColumns,
  "/ServiceAccount": [age],
  "/ConfigMap": [
    column("Data", (object) => String(countOf(object, "data") + countOf(object, "binaryData"))),
    age,
  ],
  "/Secret": [
    column("Type", (object) => textOf(object, "type")),
    column("Data", (object) => String(countOf(object, "data"))),
    age,
  ],
};
