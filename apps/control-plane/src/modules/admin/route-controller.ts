import { Controller, Get, Query } from '@nestjs/common';
import { OPERATOR } from '../../access/access-rule.js';
import { routesResponse } from '../../response-schemas/operator.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { RouteService, type RoutesResponse } from './route-service.js';

import { z } from 'zod';

const routesQuery = z.strictObject({
  /** The request rate that one gateway can serve, in requests per second. */
  capacity: z.coerce.number().int().min(1).max(10_000_000).default(5_000),
});

type RoutesQuery = z.infer<typeof routesQuery>;
@Controller('api/admin/routes')
export class RouteController {
  constructor(private readonly routes: RouteService) {}

  @Get()
  @Route({
    id: 'listRoutes',
    summary: 'Get the routing of the busiest slots of this cell for a load balancer',
    access: OPERATOR,
    query: routesQuery,
    answer: routesResponse,
  })
  list(@Query(new ZodPipe('query', routesQuery)) query: RoutesQuery): Promise<RoutesResponse> {
    return this.routes.list(query.capacity);
  }
}
