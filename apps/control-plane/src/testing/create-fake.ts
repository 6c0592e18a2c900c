/**
 * Returns a fake of a class with only these members. The members have the types of the class, and using any
 * other member throws, so a test fails when the tested code calls something that the fake does not have.
 */
export function createFake<T extends object>(members: Partial<T>): T {
  return new Proxy(members, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown;
      throw new Error(`the fake has no member ${String(name)}`);
    },
  }) as T;
}
