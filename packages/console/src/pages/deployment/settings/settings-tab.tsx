export const SettingsTab = () => null;
