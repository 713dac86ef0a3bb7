/** Things that an owner makes one by one: how the writer's commands name, make and change them. */

/** Which of the things of an account. */
export interface OwnedReference {
  readonly accountId: string
  readonly id: string
}

/** The commands that make and change one kind of them. Each answers with the thing as the API shows it. */
export type OwnedCommands<
  Name extends string,
  Fields,
  Shown,
  Which = OwnedReference,
  Change = Partial<Fields>,
> = {
  [K in `${Name}.create`]: {
    input: { readonly accountId: string; readonly fields: Fields }
    output: Shown
  }
} & {
  [K in `${Name}.update`]: { input: Which & { readonly change: Change }; output: Shown }
}
