export { routePlan, type GatewayLoad, type RoutedDatabase, type RoutePlan } from './route-plan.js';
