export { hashText, rankGateways } from './rank-gateways.js';
export { BOUND, chooseGateway, HOT_SHARE, routePlan, type GatewayLoad, type RoutedDatabase, type RoutePlan } from './route-plan.js';
