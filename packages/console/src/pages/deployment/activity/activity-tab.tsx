export const ActivityTab = () => null;
