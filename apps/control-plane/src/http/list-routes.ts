import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { ROUTE_SPEC, type RouteSpec } from './route-spec.js';

/** A route with its declaration. In `path`, parameters are `{id}`, and a wildcard is `{path}`. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  /** The controller's area, such as `Auth` or `Key`. */
  readonly tag: string;
  readonly spec: RouteSpec;
}

/**
 * Returns all routes of all controllers. Throws when a route declares no access rule, or two routes have the
 * same name.
 */
export function listRoutes(app: Pick<INestApplicationContext, 'get'>): ListedRoute[] {
  const scanner = new MetadataScanner();
  const routes: ListedRoute[] = [];
  const faults: string[] = [];
  for (const { metatype } of app.get(DiscoveryService).getControllers()) {
    if (typeof metatype !== 'function') continue;
    const prototype = metatype.prototype as Record<string, unknown>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name] as object;
      if (Reflect.getMetadata(PATH_METADATA, handler) === undefined) continue;
      const spec = Reflect.getMetadata(ROUTE_SPEC, handler) as RouteSpec | undefined;
      if (spec === undefined) faults.push(`${metatype.name}.${name} declares no access rule`);
      else routes.push(toListedRoute(metatype, handler, spec));
    }
  }
  const ids = routes.map((route) => route.spec.id);
  faults.push(
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two routes are called ${id}`),
  );
  if (faults.length > 0) throw new Error(`Routes that must not be served: ${faults.join('; ')}`);
  return routes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function toListedRoute(controller: object & { name: string }, handler: object, spec: RouteSpec): ListedRoute {
  const parts = [
    Reflect.getMetadata(PATH_METADATA, controller),
    Reflect.getMetadata(PATH_METADATA, handler),
  ] as string[];
  const path = `/${parts
    .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/')}`;
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? 'GET';
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'),
    tag: controller.name.replace(/Controller$/, ''),
    spec,
  };
}
