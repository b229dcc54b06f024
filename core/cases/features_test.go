package cases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

// UpdateFeatures is an event of the controller's that no case is about (kafka-controller.md 14.6). Stock 2.8.2 supports no
// feature, so each update has its own refusal, and /feature stays as it is.
func TestUpdateFeatures(t *testing.T) {
	s := cluster(t, 2)
	answer := ask[request.UpdateFeaturesResponse](s, request.UpdateFeatures{Updates: []request.FeatureUpdate{
		{Feature: "", MaxVersionLevel: 1},
		{Feature: "x", MaxVersionLevel: 0, AllowDowngrade: true},
		{Feature: "y", MaxVersionLevel: 0},
		{Feature: "z", MaxVersionLevel: 2},
	}})
	require.Equal(t, request.UpdateFeaturesResponse{Results: []request.FeatureResult{
		{Feature: "", Error: kafka.INVALID_REQUEST, Message: "Feature name can not be empty."},
		{Feature: "x", Error: kafka.INVALID_REQUEST, Message: "Can not delete non-existing finalized feature."},
		{Feature: "y", Error: kafka.INVALID_REQUEST, Message: "Can not provide maxVersionLevel: 0 less than 1 without setting the allowDowngrade flag to true in the request."},
		{Feature: "z", Error: kafka.INVALID_REQUEST, Message: "Could not apply finalized feature update because the provided feature is not supported."},
	}}, answer)
	s.play("expect zk[/feature].version = 0")
	out := s.World().AskBroker(1, request.UpdateFeatures{}, "features")
	s.play("until idle")
	require.Equal(t, request.UpdateFeaturesResponse{Error: kafka.NOT_CONTROLLER}, out.Answer)
}

// Below protocol 2.7-IV0 there is no feature versioning; an authorizer may deny it.
func TestUpdateFeaturesRefused(t *testing.T) {
	updates := request.UpdateFeatures{Updates: []request.FeatureUpdate{{Feature: "x", MaxVersionLevel: 1}}}
	answer := ask[request.UpdateFeaturesResponse](cluster(t, 1, "inter.broker.protocol.version=2.6-IV0"), updates)
	require.Equal(t, request.UpdateFeaturesResponse{Error: kafka.INVALID_REQUEST, Message: "Feature versioning system is disabled."}, answer)
	answer = ask[request.UpdateFeaturesResponse](cluster(t, 1, "scope.deny=ALTER"), updates)
	require.Equal(t, request.UpdateFeaturesResponse{Error: kafka.CLUSTER_AUTHORIZATION_FAILED}, answer)
}
